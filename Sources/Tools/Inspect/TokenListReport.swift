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

  private var lengths: [TokenLength] {
    check.tokenLengths.sorted { $0.key < $1.key }.map(TokenLength.init)
  }

  var parts: [Report.Part] { Self.fields.parts(of: self) }

  static let fields = counts + details

  private static let counts: [ReportField<Self>] = [
    .always("kind", "What the file contains.", .word(["device tokens"])) { _ in "device tokens" }
      .label("kind") { $0.kind },
    .always("format", "The format.", .word(["txt", "csv", "jsonl"])) { $0.format.rawValue },
    .always("lines", "Lines read.") { $0.check.counts.lines }.label("lines"),
    .always("tokens", "Device tokens.") { $0.check.tokens }.label("tokens"),
    .always("duplicates", "Lines whose token appeared before.") { $0.check.counts.duplicates }
      .label("duplicates") {
        let count = $0.check.counts.duplicates
        return count > 0 ? StyledText(grouped(count)) : nil
      },
    .always("badLines", "Lines that are not a valid recipient.") { $0.check.counts.badLines }
      .label("bad lines") {
        let count = $0.check.counts.badLines
        return count > 0 ? StyledText(grouped(count), .bad) : nil
      },
  ]

  private static let details: [ReportField<Self>] = [
    .people { [.text("digits", $0.digits)] },
    .always("lengths", "How many tokens have which length.") { $0.lengths },
    .always("columns", "The columns of the list.") { $0.columns }
      .label("columns") { $0.shownColumns },
    .section(
      "Bad lines",
      [
        .list("firstBadLines", "The first bad lines.", badLine) {
          Array($0.check.badLines.prefix(mostBadLines))
        },
        .people {
          let rest = $0.check.counts.badLines - min($0.check.badLines.count, mostBadLines)
          return [.text("more", rest > 0 ? StyledText(grouped(rest)) : nil)]
        },
      ]),
  ]

  private static let mostBadLines = 5

  private static let badLine: [ReportField<BadLine>] = [
    .always("line", "The line.") { $0.line },
    .always("problem", "What is wrong.") { $0.error.clause },
    .people { [.text("line \(grouped($0.line))", StyledText($0.error.clause))] },
  ]

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

/// The number of tokens of a length.
private struct TokenLength: JSONDescribed {
  let digits: Int
  let count: Int

  static let fields: [JSONField<Self>] = [
    .always("digits", "The length.") { $0.digits }, .always("tokens", "How many.") { $0.count },
  ]
}
