internal import JSONText
internal import PushModel
internal import Recipients
internal import Reporting

/// A report on a recipient list. Device tokens are not shown.
struct TokenListReport: JSONDescribed {
  let file: String
  let format: ListFormat
  let check: ListCheck
  /// The names of the columns or members; empty for bare tokens.
  let columns: [String]

  private var lengths: [(digits: Int, count: Int)] {
    check.tokenLengths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  static let fields: [OutputField<Self>] = [
    .always(
      "kind", { _ in "device tokens" }, "What the file contains.", .word(["device tokens"]),
      as: "kind", { $0.kind }),
    .always("format", \.format.rawValue, "The format.", .word(["txt", "csv", "jsonl"])),
    .always("lines", \.check.counts.lines, "Lines read.", as: "lines"),
    .always("tokens", \.check.tokens, "Device tokens.", as: "tokens"),
    .always(
      "duplicates", \.check.counts.duplicates, "Lines whose token appeared before.",
      as: "duplicates", { words(for: $0.check.counts.duplicates) }),
    .always(
      "badLines", \.check.counts.badLines, "Lines that are not a valid recipient.", as: "bad lines"
    ) { words(for: $0.check.counts.badLines, .bad) }, .people { [.text("digits", $0.digits)] },
    .list(
      "lengths", \.lengths, "How many tokens have which length.",
      [
        .always("digits", { $0.digits }, "The length."),
        .always("tokens", { $0.count }, "How many."),
      ]),
    .always("columns", \.columns, "The columns of the list.", as: "columns") { $0.shownColumns },
    .section(
      "Bad lines",
      [
        .list("firstBadLines", \.firstBadLines, "The first bad lines.", badLine),
        .people {
          let rest = $0.check.counts.badLines - $0.firstBadLines.count
          return [.text("more", words(for: rest))]
        },
      ]),
  ]

  private var firstBadLines: [BadLine] { Array(check.badLines.prefix(5)) }

  private static let badLine: [OutputField<BadLine>] = [
    .always("line", \.line, "The line."), .always("problem", \.error.clause, "What is wrong."),
    .people { [.text("line \(grouped($0.line))", StyledText($0.error.clause))] },
  ]

  private static func words(for count: Int, _ tone: StyledText.Tone = .plain) -> StyledText? {
    count > 0 ? StyledText(grouped(count), tone) : nil
  }

  private var kind: StyledText {
    // The file's name does not tell the format.
    let needsFormat = ListFormat(path: file) == nil && format != .txt
    let hint = needsFormat ? "; give --tokens-format \(format.rawValue) to send to it" : ""
    return "device tokens in .\(format.rawValue)\(hint)"
  }

  private var digits: StyledText {
    StyledText(
      lengths.map { "\($0.digits) (\(counted($0.count, "token")))" }.joined(separator: ", "))
  }

  private var shownColumns: StyledText? {
    let names = columns.map { $0.count > 40 ? $0.prefix(40) + "…" : $0 }
    return names.isEmpty ? nil : StyledText(names.joined(separator: ", "))
  }
}
