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

  fileprivate static func fields(
    _ names: [String], _ verdicts: [DiagnosisVerdict]
  ) -> [ReportField<Self>] {
    [
      .always("step", \.id, "The step.", .word(names)),
      .always("verdict", \.verdict.rawValue, "How it went.", .word(verdicts.map(\.rawValue))),
      .always("text", \.text?.sentence, "What was found, for people."),
      .people { [.fact($0.line)] },
      .always("evidence", \.text?.evidence, "What was found.", .orNull(.map(.anything))),
      .fix({ $0.verdict == .ok ? nil : $0.text?.fix }, "What to do, for people."),
    ]
  }

  /// The step as people see it while the doctor is at work.
  var parts: [Report.Part] { [.fact(line), .fix(verdict == .ok ? nil : text?.fix)] }

  private var line: Report.Fact {
    let title = "\("\(number)".padding(left: 2))  \(name.padding(to: nameWidth))"
    return Report.Fact(
      name: StyledText(title), shown: StyledText(text?.sentence ?? ""), mark: verdict.mark)
  }
}

/// A checklist: an object, documented in docs/formats.md.
struct Checklist {
  let verdict: DiagnosisVerdict
  let steps: [CheckedStep]

  /// - Parameters:
  ///   - names: the names of all steps in JSON.
  ///   - verdicts: the verdicts that a step may have.
  ///   - meaning: the meaning of the list of steps.
  static func fields(
    _ names: [String], _ verdicts: [DiagnosisVerdict], _ meaning: String
  ) -> [ReportField<Self>] {
    [
      .always(
        "verdict", \.verdict.rawValue, "The worst verdict of a step.",
        .word(["ok", "warning", "broken"])),
      .list("steps", \.steps, meaning, CheckedStep.fields(names, verdicts)),
    ]
  }

  /// The report, with parts before and after the list.
  func report(
    _ head: [Report.Part], _ fields: [ReportField<Self>], _ conclusion: [Report.Part]
  ) -> Report {
    Report(
      parts: head + fields.parts(of: self) + conclusion, form: .object,
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
