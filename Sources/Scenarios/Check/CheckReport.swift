internal import APNS
package import JSONText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs

/// The result of `check`: problems, then the checked files.
package struct CheckReport {
  let checked: [CheckedFile]
  /// Leaves out warnings, and for people everything but errors.
  let errorsOnly: Bool

  private var errors: Int { checked.reduce(0) { $0 + $1.errors } }

  private var warnings: Int { checked.reduce(0) { $0 + $1.warnings } }

  /// An object on one line, documented in docs/formats.md.
  var report: Report {
    let summary: [Report.Part] =
      errorsOnly ? [] : (checked.compactMap(needs) + [summary]).map { .paragraph($0) }
    return Report(
      parts: Self.fields.parts(of: self) + summary, exitCode: errors > 0 ? .usage : .success)
  }

  package static let fields: [OutputField<Self>] = [
    .list(
      "files",
      { report in report.checked.map { ToldFile(checked: $0, errorsOnly: report.errorsOnly) } },
      "What was checked, in order.", ToldFile.fields),
    .always("errors", \.errors, "How many errors there are."),
    .always("warnings", \.warnings, "How many warnings there are."),
  ]

  /// `order.json needs the variables name and unread`
  private func needs(_ file: CheckedFile) -> StyledText? {
    guard !file.isFilled, let last = file.variables.last else { return nil }
    let others = file.variables.dropLast().joined(separator: ", ")
    let names = others.isEmpty ? "variable \(last)" : "variables \(others) and \(last)"
    return "\(file.file ?? "The payload") needs the \(names)"
  }

  /// `3 payloads, 1 list (1,000 tokens, 2 bad lines): 2 errors, 1 warning`
  private var summary: StyledText {
    let others = checked.count { $0.kind == nil }
    let parts =
      FileKind.allCases.compactMap(summary) + (others > 0 ? [counted(others, "other")] : [])
    return "\(parts.isEmpty ? "no files" : parts.joined(separator: ", ")): \(verdict)"
  }

  private var verdict: StyledText {
    let (bad, doubtful) = (counted(errors, "error"), counted(warnings, "warning"))
    return switch (errors, warnings) {
    case (0, 0): "\("no problems", .good)"
    case (_, 0): "\(bad, .bad)"
    case (0, _): "\(doubtful, .doubtful)"
    default: "\(bad, .bad), \(doubtful, .doubtful)"
    }
  }

  private func summary(_ kind: FileKind) -> String? {
    let files = checked.filter { $0.kind == kind }
    if files.isEmpty { return nil }
    let text = counted(files.count, kind.rawValue)
    return kind == .list ? text + " (" + summary(of: files.compactMap(\.list)) + ")" : text
  }

  private func summary(of lists: [ListCheck]) -> String {
    func sum(_ count: (ListCheck) -> Int) -> Int { lists.reduce(0) { $0 + count($1) } }
    let others = [
      (sum(\.counts.badLines), { counted($0, "bad line") }),
      (sum { $0.badRowCount ?? 0 }, { counted($0, "row") + " that cannot be sent" }),
      (sum(\.counts.duplicates), { counted($0, "duplicate") }),
      (sum(\.counts.suppressed), { grouped($0) + " suppressed" }),
      (sum(\.counts.otherShards), { grouped($0) + " in other shards" }),
    ]
    let told = others.filter { $0.0 > 0 }.map { count, text in text(count) }
    return ([counted(sum(\.tokens), "token")] + told).joined(separator: ", ")
  }
}

/// A checked file in the report.
private struct ToldFile {
  let checked: CheckedFile
  let errorsOnly: Bool

  static let fields: [OutputField<Self>] = [
    .always("file", \.checked.file, "The file as it was given; null for options."),
    .always("kind", \.checked.kind, "What it contains."),
    .sometimes("type", { $0.notification.map(\.pushType) }, "The push type, except of lists."),
    .sometimes("bytes", { $0.notification.map(\.bytes) }, "The payload's length as sent."),
    .sometimes("variables", \.notification?.variables, "Variables that recipients must have."),
    .sometimes("lines", \.checked.list?.counts.lines, "Lines read, of lists only."),
    .sometimes("tokens", \.checked.list?.tokens, "Device tokens, of lists only."),
    .some(RecipientCounts.fields, of: \.checked.list?.counts),
    .sometimes("badRows", \.checked.list?.badRowCount, "Rows that break a rule once filled in."),
    .init([.init("problems", [Problem].jsonShape, "The file's problems.")]) { file in
      let problems = file.checked.problems
      return [
        .problems(
          key: "problems", problems.filter { !file.errorsOnly || $0.severity == .error }),
        .lines(file.further),
      ]
    },
  ]

  /// A payload or a scenario.
  private var notification: CheckedFile? {
    checked.list == nil && checked.kind != nil ? checked : nil
  }

  /// The number of lines and rows that are not told one by one.
  private var further: [StyledText] {
    let (lines, rows) = (checked.untoldBadLines, checked.untoldBadRows)
    let name = checked.file ?? ""
    return (lines > 0 ? ["\(name): \(counted(lines, "more bad line"))"] : [])
      + (rows > 0 ? ["\(name): \(counted(rows, "more row")) that cannot be sent"] : [])
  }
}

extension FileKind: JSONWord {}
