internal import APNS
internal import JSONText
internal import PushModel
internal import Recipients
internal import Reporting

/// The result of `check`: problems, then the checked files.
struct CheckReport {
  let checked: [CheckedFile]
  /// Leaves out warnings, and for people everything but errors.
  let errorsOnly: Bool

  private var errors: Int { checked.reduce(0) { $0 + $1.errors } }

  private var warnings: Int { checked.reduce(0) { $0 + $1.warnings } }

  /// An object on one line, documented in docs/formats.md.
  var report: Report {
    let counts: [Report.Part] = [
      .list("files", checked.map(parts)), .json("errors", .number(errors)),
      .json("warnings", .number(warnings)),
    ]
    let summary = errorsOnly ? [] : [Report.Part.lines(checked.compactMap(needs) + [summary])]
    return Report(parts: counts + summary, exitCode: errors > 0 ? .usage : .success)
  }

  private func parts(_ file: CheckedFile) -> [Report.Part] {
    let problems = file.problems.filter { !errorsOnly || $0.severity == .error }
    let (lines, rows) = (file.untoldBadLines, file.untoldBadRows)
    let name = file.file ?? ""
    let further: [StyledText] =
      (lines > 0 ? ["\(name): \(counted(lines, "more bad line"))"] : [])
      + (rows > 0 ? ["\(name): \(counted(rows, "more row")) that cannot be sent"] : [])
    return [.json("file", .text(file.file)), .json("kind", .text(file.kind?.rawValue))]
      + contents(file) + [.problems(key: "problems", problems), .lines(further)]
  }

  private func contents(_ file: CheckedFile) -> [Report.Part] {
    if let list = file.list {
      let counts = list.counts
      return [
        ("lines", counts.lines), ("tokens", list.tokens), ("badLines", counts.badLines),
        ("duplicates", counts.duplicates), ("suppressed", counts.suppressed),
        ("otherShards", counts.otherShards),
      ].map { .json($0, .number($1)) }
        + (list.badRowCount.map { [.json("badRows", .number($0))] } ?? [])
    }
    if file.kind == nil { return [] }
    return [
      .json("type", .text(file.pushType)), .json("bytes", .number(file.bytes)),
      .json("variables", .texts(file.variables)),
    ]
  }

  /// `order.json needs the variables name and unread`
  private func needs(_ file: CheckedFile) -> StyledText? {
    guard let last = file.variables.last else { return nil }
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
