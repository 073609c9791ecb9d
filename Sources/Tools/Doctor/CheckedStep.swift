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
  /// The columns that the longest name of the checklist takes.
  let nameWidth: Int

  /// - Parameters:
  ///   - names: the names of all steps in JSON.
  ///   - verdicts: the verdicts that there are.
  static func fields(
    _ names: [String], _ verdicts: [DiagnosisVerdict]
  ) -> [ReportField<Self>] {
    [
      .always("step", "The step.", .word(names)) { $0.id },
      .always("verdict", "How it went.", .word(verdicts.map(\.rawValue))) { $0.verdict.rawValue },
      .always("text", "What was found, for people.") { $0.text?.sentence },
      .people { [.fact($0.line)] },
      .always("evidence", "What was found.", .orNull(.map(.anything))) { $0.text?.evidence },
      .fix("What to do, for people.") { $0.verdict == .ok ? nil : $0.text?.fix },
    ]
  }

  private var line: Report.Fact {
    let title = "\("\(number)".padding(left: 2))  \(name.padding(to: nameWidth))"
    return Report.Fact(
      name: StyledText(title), shown: StyledText(text?.sentence ?? ""), mark: verdict.mark)
  }
}

/// The steps of a checklist and their worst verdict, in JSON.
struct Checklist {
  let verdict: DiagnosisVerdict
  let steps: [CheckedStep]

  static func fields(
    _ meaning: String, _ step: [ReportField<CheckedStep>]
  ) -> [ReportField<Self>] {
    [
      .always("verdict", "The worst verdict of a step.", .word(["ok", "warning", "broken"])) {
        $0.verdict.rawValue
      }, .list("steps", meaning, step) { $0.steps },
    ]
  }
}

extension Report {
  /// A checklist: an object, documented in docs/formats.md.
  static func checklist(
    _ head: [Part], _ list: Checklist, _ fields: [ReportField<Checklist>], _ conclusion: [Part]
  ) -> Report {
    Report(
      parts: head + fields.parts(of: list) + conclusion, form: .object,
      exitCode: list.verdict == .broken ? .connection : .success)
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
