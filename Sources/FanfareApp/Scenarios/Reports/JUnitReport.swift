internal import APNS
internal import Projects

/// Scenarios as test suites and steps as test cases, in the XML that JUnit made common.
struct JUnitReport {
  let scenarios: [ScenarioReport]
  /// When it is written, in milliseconds since 1970 UTC.
  let now: Int64

  var text: String {
    let seconds = scenarios.reduce(0) { $0 + $1.seconds }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + XML(
        "testsuites", [("name", "fanfare")] + counts(scenarios.flatMap(\.steps), seconds),
        scenarios.map(suite)
      ).text()
  }

  private func suite(_ report: ScenarioReport) -> XML {
    XML(
      "testsuite",
      [("name", report.scenario.title), ("file", report.scenario.file)]
        + counts(report.steps, report.seconds) + [("timestamp", timestamp)],
      report.steps.map(testCase))
  }

  private func counts(_ steps: [StepReport], _ seconds: Double) -> [XML.Attribute] {
    let verdicts = steps.map(\.verdict.element)
    let counts = [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")].map {
      (name, element) in (name, "\(verdicts.count { $0 == element })")
    }
    return [("tests", "\(steps.count)")] + counts + [("time", fixed(seconds, decimals: 3))]
  }

  private func testCase(_ step: StepReport) -> XML {
    let run = step.run?.summary.run.map { run in
      XML("properties", [], [XML("property", [("name", "run"), ("value", "\(run)")])])
    }
    return XML(
      "testcase",
      [
        ("name", "step \(step.step.label)"), ("classname", step.scenario.title),
        ("file", step.file), ("line", step.line.map { "\($0)" }),
        ("time", fixed(step.seconds, decimals: 3)),
      ],
      [run, verdict(step), step.run.map { XML("system-out", text: $0.text) }].compactMap(\.self))
  }

  private func verdict(_ step: StepReport) -> XML? {
    step.verdict.element.map { name in
      XML(
        name, [("message", step.reasons.first)],
        text: name == "skipped" ? nil : step.reasons.joined(separator: "\n"))
    }
  }

  /// Without fractions and zone, as xs:dateTime is used here.
  private var timestamp: String { String(ISO8601.text(seconds: now / 1000).dropLast()) }
}

extension StepReport.Verdict {
  /// The element that stands for it in a test case; nil for a success, which has none.
  fileprivate var element: String? {
    switch self {
    case .passed: nil
    case .failed: "failure"
    case .broken, .interrupted: "error"
    case .skipped: "skipped"
    }
  }
}

/// An element of XML with text or other elements in it.
private struct XML {
  typealias Attribute = (name: String, value: String?)

  private let name: String
  private let attributes: String
  private let elements: [XML]
  private let text: String?

  /// Attributes without a value are left out.
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

  /// Characters that XML 1.0 has no way to write (section 2.2) become U+FFFD.
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
  /// The text with other text for some of its characters.
  func replacingScalars(_ other: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.map { other($0) ?? String($0) }.joined()
  }
}
