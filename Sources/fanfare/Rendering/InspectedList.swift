internal import JSONText
internal import PlainText
internal import PushModel
internal import Recipients

/// A list of device tokens that was inspected. Its tokens are not told.
struct InspectedList: InspectedRows {
  private static let badLineLimit = 5

  let file: String
  let format: ListFormat
  let check: ListCheck
  /// The names of the columns or members; empty for bare tokens.
  let columns: [String]

  /// Whether `send` has to be told the format, because the name does not.
  private var needsFormat: Bool { ListFormat(path: file) == nil && format != .txt }

  private var lengths: [(digits: Int, count: Int)] {
    check.tokenLengths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func sections(_ style: Style) -> [InspectSection] {
    let counts = check.counts
    let hint = needsFormat ? "; give --tokens-format \(format.rawValue) to send to it" : ""
    let badLines = check.badLines.prefix(Self.badLineLimit).map { line in
      ("line \(grouped(line.line))", line.error.clause) as (String, String?)
    }
    let rest = counts.badLines - badLines.count
    return [
      InspectSection([
        ("kind", "device tokens in .\(format.rawValue)\(hint)"), ("lines", grouped(counts.lines)),
        ("tokens", grouped(check.tokens)),
        ("digits", lengths.map(Self.length).joined(separator: ", ")),
        ("duplicates", counts.duplicates > 0 ? grouped(counts.duplicates) : nil),
        ("bad lines", counts.badLines > 0 ? style.bad(grouped(counts.badLines)) : nil),
        ("columns", columns.isEmpty ? nil : columns.map(Self.shown).joined(separator: ", ")),
      ]),
      InspectSection(
        "Bad lines", badLines + (rest > 0 ? [("further", grouped(rest))] : [])),
    ]
  }

  private static func length(_ length: (digits: Int, count: Int)) -> String {
    "\(length.digits) (\(counted(length.count, "token")))"
  }

  private static func shown(_ name: String) -> String {
    (name.count > 40 ? name.prefix(40) + "…" : name).printable
  }

  var members: [(String, JSON)] {
    [
      ("kind", "device tokens"), ("format", .text(format.rawValue)),
      ("lines", .number(check.counts.lines)), ("tokens", .number(check.tokens)),
      ("duplicates", .number(check.counts.duplicates)),
      ("badLines", .number(check.counts.badLines)),
      (
        "lengths",
        JSON(.array(lengths.map { ["digits": .number($0.digits), "tokens": .number($0.count)] }))
      ), ("columns", .texts(columns)), ("firstBadLines", JSON(.array(firstBadLines))),
    ]
  }

  private var firstBadLines: [JSON] {
    check.badLines.prefix(Self.badLineLimit).map { line in
      ["line": .number(line.line), "problem": .text(line.error.clause)]
    }
  }
}
