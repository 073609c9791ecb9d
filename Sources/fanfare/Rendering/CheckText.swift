internal import APNS
internal import PlainText
internal import PushModel
internal import Recipients

/// What `check` found, as a person reads it.
struct CheckText {
  let hasColor: Bool
  let errorsOnly: Bool

  /// Every problem, then what was looked at, each with a line feed at the end.
  func text(of checked: [CheckedFile]) -> String {
    let problems = checked.map(problems).joined()
    if errorsOnly { return problems }
    return problems + checked.map(needs).joined() + summary(of: checked) + "\n"
  }

  /// `order.json needs the variables name and unread`
  private func needs(_ file: CheckedFile) -> String {
    guard let last = file.variables.last else { return "" }
    let others = file.variables.dropLast()
    let names = others.isEmpty ? last : others.joined(separator: ", ") + " and " + last
    let noun = others.isEmpty ? "variable" : "variables"
    return "\((file.file ?? "The payload").printable) needs the \(noun) \(names.printable)\n"
  }

  private func problems(of file: CheckedFile) -> String {
    let shown = file.problems.filter { !errorsOnly || $0.severity == .error }
    let text = ProblemText(hasColor: hasColor).text(of: shown)
    guard file.untoldBadLines > 0, let name = file.file else { return text }
    let further = counted(file.untoldBadLines, "further bad line")
    return text + "\(name.printable): \(further)\n"
  }

  /// `3 payloads, 1 list (1,000 tokens, 2 bad lines): 2 errors, 1 warning`
  private func summary(of checked: [CheckedFile]) -> String {
    let parts = FileKind.allCases.compactMap { part(of: checked, $0) } + others(checked)
    let errors = checked.map(\.errors).reduce(0, +)
    let warnings = checked.map(\.warnings).reduce(0, +)
    let style = Style(hasColor: hasColor)
    let findings = [
      errors > 0 ? style.bad(counted(errors, "error")) : nil,
      warnings > 0 ? style.doubtful(counted(warnings, "warning")) : nil,
    ].compactMap(\.self)
    let verdict = findings.isEmpty ? style.good("no problems") : findings.joined(separator: ", ")
    return (parts.isEmpty ? "no files" : parts.joined(separator: ", ")) + ": " + verdict
  }

  private func part(of checked: [CheckedFile], _ kind: FileKind) -> String? {
    let files = checked.filter { $0.kind == kind }
    if files.isEmpty { return nil }
    let text = counted(files.count, kind.rawValue)
    return kind == .list ? text + " (" + contents(of: files.compactMap(\.list)) + ")" : text
  }

  private func contents(of lists: [ListCheck]) -> String {
    func sum(_ count: (ListCheck) -> Int) -> Int { lists.map(count).reduce(0, +) }
    let (badLines, duplicates) = (sum(\.counts.badLines), sum(\.counts.duplicates))
    let (suppressed, others) = (sum(\.counts.suppressed), sum(\.counts.otherShards))
    return [
      counted(sum(\.tokens), "token"), badLines > 0 ? counted(badLines, "bad line") : nil,
      duplicates > 0 ? counted(duplicates, "duplicate") : nil,
      suppressed > 0 ? "\(grouped(suppressed)) suppressed" : nil,
      others > 0 ? "\(grouped(others)) in other shards" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  private func others(_ checked: [CheckedFile]) -> [String] {
    let count = checked.count { $0.kind == nil }
    return count > 0 ? [counted(count, "other")] : []
  }
}
