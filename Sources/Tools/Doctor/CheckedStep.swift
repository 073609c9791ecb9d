internal import Diagnosis
internal import JSONText
internal import Reporting

/// A line of a checklist: the step, its verdict, and what to do.
struct CheckedStep {
  /// The name in JSON.
  let id: String
  let number: Int
  /// The name for people.
  let name: String
  let verdict: DiagnosisVerdict
  /// Nil when the step was not reached.
  let text: StepText?

  /// - Parameter nameWidth: the columns that the longest name of the checklist takes.
  func parts(nameWidth: Int) -> [Report.Part] {
    let title = "\("\(number)".padding(left: 2))  \(name.padding(to: nameWidth))"
    return [
      .json("step", .text(id)), .json("verdict", .text(verdict.rawValue)),
      .fact(
        Report.Fact(
          name: StyledText(title), shown: StyledText(text?.sentence ?? ""), key: "text",
          value: .text(text?.sentence), mark: verdict.mark)),
      .json("evidence", text?.evidence ?? nil),
      .fix(verdict == .ok ? nil : text?.fix),
    ]
  }
}

extension Report {
  /// A checklist: an object, documented in docs/formats.md.
  static func checklist(
    _ head: [Part], _ verdict: DiagnosisVerdict, _ steps: [[Part]], _ conclusion: [Part]
  ) -> Report {
    let list = [Part.json("verdict", .text(verdict.rawValue)), .list("steps", steps)]
    return Report(
      parts: head + list + conclusion, form: .object,
      exitCode: verdict == .broken ? .connection : .success)
  }
}

extension DiagnosisVerdict {
  fileprivate var mark: Report.Mark {
    switch self {
    case .ok: .ok
    case .warning: .warning
    case .broken: .broken
    case .skipped: .skipped
    case .notReached: .notReached
    }
  }
}
