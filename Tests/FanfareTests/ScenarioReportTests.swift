import APNS
import Foundation
import HTTP2
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import Delivery
@testable import FanfareApp
@testable import Projects
@testable import PushModel

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("Reports of scenarios")
struct ScenarioReportTests {
  /// Two scenarios, one with a name that every form of report has to write with care.
  static let reports: [ScenarioReport] = [
    ScenarioReport(
      scenario: order,
      steps: [
        StepReport(
          scenario: order, step: step(1, "placed", line: 4), verdict: .passed,
          run: run([(.accepted, .good), (.accepted, .good)], number: 7), seconds: 0.5,
          exitCode: .success)
      ], seconds: 0.75),
    ScenarioReport(
      scenario: odd,
      steps: [
        StepReport(
          scenario: odd, step: step(1, nil, line: 9),
          verdict: .failed([
            .status(
              wanted: .accepted,
              got: [
                .init(value: .status(.gone), count: 1200),
                .init(value: .outcome(.unknown), count: 2),
              ]),
            .reason(wanted: .unregistered, got: [.init(value: .noReason, count: 1)]),
            .accepted(wanted: 0.995, got: 1, of: 3), .latency(wanted: 50, got: 3400),
          ]), run: run([(.accepted, .good), (.rejected, .dead), (.unknown, nil)], number: 8),
          exitCode: .failure),
        StepReport(
          scenario: odd, step: step(2, "100 %\nsure", line: 12), verdict: .broken(.noRecipients),
          exitCode: .usage),
        StepReport(
          scenario: odd, step: step(3, nil, line: 15), verdict: .skipped(after: 1),
          exitCode: .success),
      ]),
  ]

  private static let order = Scenario(file: "shop/order.json5", name: "Order")
  private static let odd = Scenario(file: "s:1,2.json5", name: "A \"<b>&'|#\u{1b}[31m")

  @Test("are as recorded", arguments: ReportForm.allCases)
  func recorded(_ form: ReportForm) throws {
    let text = form.text(of: Self.reports, now: presentSecond * 1000)
    try expectSnapshot(text, "report-\(form.rawValue).txt")
    #expect(!text.contains("\u{1b}"))
  }

  @Test("in XML are read back by a parser, with the figures of each suite")
  func xml() throws {
    let text = ReportForm.junit.text(of: Self.reports, now: 0)
    let reader = ElementReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    #expect(parser.parse())
    let suites = reader.elements.filter { $0.name == "testsuite" }.map(\.attributes)
    #expect(suites.map { $0["name"] } == ["Order", "A \"<b>&'|#\u{FFFD}[31m"])
    #expect(suites.map { $0["tests"] } == ["1", "3"])
    #expect(suites.map { $0["failures"] } == ["0", "1"])
    #expect(suites.map { $0["errors"] } == ["0", "1"])
    #expect(suites.map { $0["skipped"] } == ["0", "1"])
    let cases = reader.elements.filter { $0.name == "testcase" }.map(\.attributes)
    #expect(cases.map { $0["line"] } == ["4", "9", "12", "15"])
    #expect(cases[2]["name"] == "step 2 100 %\nsure")
  }

  @Test("on GitHub are one line each, whatever stands in them")
  func annotations() {
    let lines = Self.reports.flatMap(\.steps).filter(\.isWrong).map(\.annotation)
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.last == "\n" && $0.dropLast().allSatisfy { !$0.isNewline } })
    #expect(lines[0].hasPrefix("::error file=s%3A1%2C2.json5,line=9,title="))
    let isPlain = lines.joined().unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }
    #expect(isPlain && lines[0].contains("|#\\u{1b}[31m"))
    #expect(lines[1].contains(", step 2 100 %25%0Asure::") || lines[1].contains("%2C step 2 100"))
  }

  @Test("on a terminal say why, and where to read on")
  func terminal() {
    let text = ScenarioText(style: Style(hasColor: false))
    let lines = Self.reports[1].steps.map(text.line).joined()
    #expect(
      lines == """
          FAIL 1  1 of 3 accepted  p99 1.3 ms
                status: wanted 200, got 410 (1,200), unknown (2)
                reason: wanted Unregistered, got no reason (1)
                acceptedAtLeast: wanted 99.5 %, got 33.33 % (1 of 3)
                latencyP99Below: wanted less than 50 ms, got 3,400 ms
                fanfare history show 8
          FAIL 2 100 %\\u{a}sure
                \(Failure.noRecipients.lines.joined(separator: "\n        "))
          -    3
                not run: step 1 was not as expected

        """)
  }

  private static var expectation: Projects.Expectation {
    var expectation = Projects.Expectation(origin: .file("s.json5"))
    expectation.status = .accepted
    return expectation
  }

  private static func step(_ number: Int, _ name: String?, line: Int) -> ScenarioStep {
    ScenarioStep(
      number: number, name: name, origin: .file(nil, at: JSONPosition(line: line, column: 5)),
      pauseMilliseconds: 0, fields: [], recipients: [], expectation: expectation)
  }

  private static func run(_ rows: [(Outcome, Response?)], number: Int64) -> StepRun {
    let figures = report(results(rows))
    return StepRun(
      summary: SummaryReport(
        report: figures, environment: "emulator", run: number,
        facts: RequestFacts(
          service: .other, pushType: .alert, topic: "a.b", tokenDigits: 64, providerTokenAge: 0),
        resumeHint: ResumeHint(run: nil, due: nil)),
      text: "environment  emulator\n")
  }
}

@Suite("A wait between steps")
struct StepPauseTests {
  @Test("is as long as it says, and none after the command was stopped")
  func pause() {
    let (clock, cancellation) = (TestClock(), Cancellation())
    cancellation.pause(milliseconds: 2000, clock.clock)
    #expect(clock.pauses.reduce(0, +) == 2000)
    cancellation.cancel()
    cancellation.pause(milliseconds: 2000, clock.clock)
    #expect(clock.pauses.reduce(0, +) == 2000)
  }

  @Test("is shown with its length, and no wider than the terminal")
  func shown() {
    let step = ScenarioStep(
      number: 2, name: "car is there", origin: .file(nil), pauseMilliseconds: 89_001, fields: [],
      recipients: [])
    #expect(step.waitText(width: 80) == "waiting 1:30 for step 2 car is there")
    #expect(step.waitText(width: 12) == "waiting 1:30")
  }

  @Test("ends when the command is stopped, and runs that come later are stopped too")
  func stopped() {
    let cancellation = Cancellation()
    var clock = RunClock.system
    clock.wait = { wake, milliseconds in
      cancellation.cancel()
      RunClock.system.wait(wake, milliseconds)
    }
    cancellation.pause(milliseconds: 3_600_000, clock)
    let control = RunControl()
    cancellation.add(control)
    #expect(control.isStopping)
  }
}

/// Gathers what a document holds.
private final class ElementReader: NSObject, XMLParserDelegate {
  var elements: [(name: String, attributes: [String: String])] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.append((name, attributes))
  }
}
