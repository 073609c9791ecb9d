internal import JSONText
internal import PushModel
internal import Recipients
internal import Reporting

/// A report on a recipient list. Device tokens are not shown.
struct TokenListReport {
  let file: String
  let format: ListFormat
  let check: ListCheck
  /// The names of the columns or members; empty for bare tokens.
  let columns: [String]

  private var lengths: [(digits: Int, count: Int)] {
    check.tokenLengths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var parts: [Report.Part] {
    let counts = check.counts
    // The file's name does not tell the format.
    let needsFormat = ListFormat(path: file) == nil && format != .txt
    let hint = needsFormat ? "; give --tokens-format \(format.rawValue) to send to it" : ""
    return [
      .fact(
        "kind", "kind", "device tokens", shown: "device tokens in .\(format.rawValue)\(hint)"),
      .json("format", .text(format.rawValue)), .fact("lines", "lines", .number(counts.lines)),
      .fact("tokens", "tokens", .number(check.tokens)),
      count("duplicates", "duplicates", counts.duplicates, .plain),
      count("bad lines", "badLines", counts.badLines, .bad), .text("digits", digits),
      .list(
        "lengths", lengths.map { [.json("digits", .number($0)), .json("tokens", .number($1))] }),
      .fact("columns", "columns", .texts(columns), shown: shownColumns),
      .section("Bad lines", badLines),
    ]
  }

  private func count(
    _ name: StyledText, _ key: String, _ count: Int, _ tone: StyledText.Tone
  ) -> Report.Part {
    .fact(name, key, .number(count), shown: count > 0 ? StyledText(grouped(count), tone) : nil)
  }

  private var digits: StyledText {
    StyledText(
      lengths.map { "\($0.digits) (\(counted($0.count, "token")))" }.joined(separator: ", "))
  }

  private var shownColumns: StyledText? {
    let names = columns.map { $0.count > 40 ? $0.prefix(40) + "…" : $0 }
    return names.isEmpty ? nil : StyledText(names.joined(separator: ", "))
  }

  private var badLines: [Report.Part] {
    let first = check.badLines.prefix(5)
    let rest = check.counts.badLines - first.count
    return [
      .list(
        "firstBadLines",
        first.map { line in
          [
            .json("line", .number(line.line)),
            .fact("line \(grouped(line.line))", "problem", .text(line.error.clause)),
          ]
        }), .text("more", rest > 0 ? StyledText(grouped(rest)) : nil),
    ]
  }
}
