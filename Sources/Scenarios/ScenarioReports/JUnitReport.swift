internal import APNS
internal import Reporting
internal import Runs
internal import Settings

/// The steps of all scenarios as test cases of one suite, in JUnit's XML format.
///
/// It is limited to what the schemas of Jenkins (junit-10.xsd of its xUnit plugin) and Maven
/// Surefire (surefire-test-report-3.0.xsd) both allow: test cases have no file and line, and
/// Surefire does not nest suites. Only the time is an attribute as in Jenkins' schema, where JUnit
/// and Ant write it and readers look for it.
struct JUnitReport {
  let scenarios: [ScenarioReport]
  /// The time of writing, in milliseconds since 1970 UTC.
  let now: Int64

  var text: String {
    let steps = scenarios.flatMap(\.steps)
    let seconds = scenarios.reduce(0) { $0 + $1.seconds }
    // Without a zone, as the schema of Ant has it.
    let timestamp = String(ISO8601.text(seconds: now / 1000).dropLast())
    let suite = XML(
      "testsuite",
      [("name", "fanfare"), ("timestamp", timestamp)] + counts(steps, seconds),
      steps.map(testCase))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + suite.text()
  }

  private func counts(_ steps: [StepReport], _ seconds: Double) -> [XML.Attribute] {
    let elements = steps.map(\.verdict.element?.name)
    let counts = [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")].map {
      (name, element) in (name, "\(elements.count { $0 == element })")
    }
    return [("tests", "\(steps.count)")] + counts + [("time", fixed(seconds, decimals: 3))]
  }

  private func testCase(_ step: StepReport) -> XML {
    XML(
      "testcase",
      [
        ("name", step.title), ("classname", step.scenario.title),
        ("time", fixed(step.seconds, decimals: 3)),
      ],
      [verdict(step), output(step)].compactMap(\.self))
  }

  private func verdict(_ step: StepReport) -> XML? {
    step.verdict.element.map { name, type in
      XML(
        name, [("message", step.reasons.first), ("type", type)],
        text: type.map { _ in (step.reasons + ["at \(step.place)"]).joined(separator: "\n") })
    }
  }

  private func output(_ step: StepReport) -> XML? {
    step.run.map { run in
      let number = run.summary.run.map { "run \($0)\n" } ?? ""
      return XML("system-out", text: "\(step.place)\n\(number)\(run.text)")
    }
  }
}

extension StepReport.Verdict {
  /// The element for it in a test case, and its type; nil for success, which has no element.
  fileprivate var element: (name: String, type: String?)? {
    switch self {
    case .passed: nil
    case .failed: ("failure", "expectation")
    case .broken: ("error", "error")
    case .invalid: ("error", "invalid")
    case .left: ("error", "channel")
    case .interrupted: ("error", "interrupted")
    case .skipped, .notSent: ("skipped", nil)
    }
  }
}

/// An XML element that contains text or elements.
private struct XML {
  typealias Attribute = (name: String, value: String?)

  private let name: String
  private let attributes: String
  private let elements: [XML]
  private let text: String?

  /// Omits attributes without a value.
  init(
    _ name: String, _ attributes: [Attribute] = [], _ elements: [XML] = [], text: String? = nil
  ) {
    (self.name, self.elements, self.text) = (name, elements, text)
    self.attributes = attributes.map { name, value in
      value.map { " \(name)=\"\(Self.escaped($0, inQuotes: true))\"" } ?? ""
    }.joined()
  }

  func text(_ depth: Int = 0) -> String {
    let indent = String(repeating: "  ", count: depth)
    let start = "\(indent)<\(name)\(attributes)"
    if let text { return "\(start)>\(Self.escaped(text))</\(name)>\n" }
    if elements.isEmpty { return "\(start)/>\n" }
    return "\(start)>\n" + elements.map { $0.text(depth + 1) }.joined() + "\(indent)</\(name)>\n"
  }

  /// Escapes text. Characters that XML 1.0 cannot represent (section 2.2) become U+FFFD.
  private static func escaped(_ text: String, inQuotes: Bool = false) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"" where inQuotes: "&quot;"
      case "\n" where inQuotes, "\t" where inQuotes: "&#\(scalar.value);"
      case "\n", "\t", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        nil
      default: "\u{FFFD}"
      }
    }
  }
}

extension String {
  /// The text with some of its characters replaced.
  func replacingScalars(_ other: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.map { other($0) ?? String($0) }.joined()
  }
}
