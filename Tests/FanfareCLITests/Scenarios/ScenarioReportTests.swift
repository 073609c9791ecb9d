import APNS
import Foundation
import HTTP2
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import Delivery
@testable import PushModel
@testable import Reporting
@testable import Runs
@testable import Scenarios
@testable import Settings
@testable import struct Settings.Expectation

@Suite("Reports of scenarios")
struct ScenarioReportTests {
  /// Scenarios, one with a name that every form of report has to write with care, and one that cannot
  /// be read.
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
                .init(value: dead, count: 1), .init(value: .outcome(.unknown), count: 1),
              ]),
            .reason(wanted: .unregistered, got: [.init(value: .accepted, count: 1)]),
            .accepted(wanted: 0.995, got: 1, of: 3, others: [.init(value: dead, count: 1)]),
            .latency(wanted: 50, got: 3400),
          ]), run: run([(.accepted, .good), (.rejected, .dead), (.unknown, nil)], number: 8),
          exitCode: .failure),
        StepReport(
          scenario: odd, step: step(2, "100 %\nsure", line: 12), verdict: .broken(.noRecipients),
          exitCode: .usage),
        StepReport(
          scenario: odd, step: step(3, nil, line: 15), verdict: .skipped(after: 1),
          exitCode: .success),
      ]),
    ScenarioReport(
      scenario: misspelt,
      steps: [
        StepReport(
          scenario: misspelt, step: step(1, nil, line: 2),
          verdict: .invalid(.problems([misspelling])),
          exitCode: .usage)
      ]),
    ScenarioReport(
      scenario: order,
      steps: [
        StepReport(
          scenario: order, step: step(1, nil, line: 4), verdict: .notSent, exitCode: .usage)
      ]),
  ]

  private static let dead = UnmetExpectation.Came.answer(status: .gone, reason: .unregistered)
  private static let misspelt = Scenario(file: "misspelt.json5")
  private static let misspelling = Problem(
    .error, rule: "scenario-key", at: .other("bundleId"),
    from: .file("misspelt.json5", at: JSONPosition(line: 2, column: 3)),
    message: "'bundleId' is not a known key here.", fix: "Did you mean 'bundleID'?",
    isForceable: false)

  private static let order = Scenario(file: "shop/order.json5", name: "Order")
  private static let odd = Scenario(file: "s:1,2.json5", name: "A \"<b>&'|#\u{1b}[31m")

  @Test("are as recorded", arguments: ReportForm.allCases)
  func recorded(_ form: ReportForm) throws {
    let text = form.text(of: Self.reports, now: presentSecond * 1000)
    try expectSnapshot(text, "report-\(form.rawValue).txt")
    #expect(!text.contains("\u{1b}"))
  }

  @Test("in TAP end with a bail-out where they were interrupted, and only there")
  func bailOut() {
    func text(_ verdict: StepReport.Verdict, _ exitCode: ExitCode) -> String {
      let step = StepReport(
        scenario: Self.order, step: Self.step(1, nil, line: 4), verdict: verdict, exitCode: exitCode
      )
      return TAPReport(scenarios: [ScenarioReport(scenario: Self.order, steps: [step])]).text
    }
    #expect(
      text(.interrupted, .success)
        == "TAP version 14\n1..1\nok 1 - Order: step 1 # SKIP not run: interrupted\n"
        + "Bail out! interrupted\n")
    #expect(text(.failed([]), .interrupted).hasSuffix("\nBail out! interrupted\n"))
    #expect(text(.failed([]), .terminated).hasSuffix("\nBail out! interrupted\n"))
    #expect(!text(.failed([]), .failure).contains("Bail out!"))
  }

  @Test("in XML are read back by a parser, with the figures of all")
  func xml() throws {
    let root = try XMLTree(JUnitReport(scenarios: Self.reports, now: 0).text)
    #expect(root.attributes["tests"] == "6" && root.attributes["failures"] == "1")
    #expect(root.attributes["errors"] == "2" && root.attributes["skipped"] == "2")
    #expect(root.attributes["timestamp"] == "1970-01-01T00:00:00")
    let cases = root.elements.filter { $0.name == "testcase" }
    #expect(
      cases.map(\.attributes["classname"]) == ["Order"]
        + Array(repeating: "A \"<b>&'|#\u{FFFD}[31m", count: 3) + ["misspelt.json5", "Order"])
    #expect(cases.map(\.attributes["name"])[2] == "step 2 100 %\nsure")
    #expect(cases.map(\.attributes["name"])[4] == "scenario file")
  }

  @Test("in XML are what the schemas of Jenkins and Surefire allow", arguments: JUnitSchema.all)
  func schemas(_ schema: JUnitSchema) throws {
    for reports in [Self.reports, [], Array(Self.reports.prefix(1))] {
      let root = try XMLTree(JUnitReport(scenarios: reports, now: presentSecond * 1000).text)
      #expect(root.name == "testsuite")
      #expect(schema.faults(in: root) == [])
    }
  }

  @Test("on GitHub are one line each, whatever stands in them")
  func annotations() {
    let lines = Self.reports.flatMap(\.steps).filter(\.isWrong).map(\.annotation)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.allSatisfy { !$0.isNewline } })
    #expect(lines[0].hasPrefix("::error file=s%3A1%2C2.json5,line=9,title="))
    let isPlain = lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 }
    #expect(isPlain && lines[0].contains("|#\\u{1b}[31m"))
    #expect(lines[1].contains(", step 2 100 %25%0Asure::") || lines[1].contains("%2C step 2 100"))
    #expect(
      lines[2].hasPrefix("::error file=misspelt.json5,line=2,title=misspelt.json5%2C scenario file")
    )
    let reason = "::status: wanted 200, got 410 Unregistered for 1 of 3: …3d4e5f11; unknown for"
    #expect(lines[0].contains(reason))
  }

  @Test("on a terminal say why, and where to read on")
  func terminal() {
    let text = ScenarioText(style: Style(hasColor: false))
    let lines = Self.reports[1].steps.map(text.line).joined()
    #expect(
      lines == """
          FAIL 1  1 of 3 accepted  p99 1.3 ms
                status: wanted 200, got 410 Unregistered for 1 of 3: …3d4e5f11; unknown for 1 of 3
                reason: wanted Unregistered, got 200 for 1 of 3
                acceptedAtLeast: wanted 99.50%, got 33.33% (1 of 3); 410 Unregistered for 1 of 3: …3d4e5f11
                latencyP99Below: wanted less than 50 ms, got 3,400 ms
                fanfare history show 8
          FAIL 2 100 %\\u{a}sure
                \(Failure.noRecipients.lines.joined(separator: "\n        "))
          -    3
                not run: step 1 was not as expected

        """)
  }

  static let answers: [(counts: [UnmetExpectation.Count], words: String)] = [
    ([.init(value: dead, count: 1)], "410 Unregistered for 1 of 3: …3d4e5f11"),
    (
      [.init(value: dead, count: 1200)], "410 Unregistered for 1,200 of 3: …3d4e5f11 and 1,199 more"
    ),
    (
      [
        .init(value: .answer(status: .badRequest, reason: nil), count: 2),
        .init(value: .badLine, count: 1),
      ], "400 without a reason for 2 of 3; bad line for 1 of 3"
    ),
    ([.init(value: .outcome(.notAttempted), count: 3)], "not attempted for 3 of 3"),
  ]

  @Test(
    "count what came back by status and reason, and name a few device tokens", arguments: answers)
  func words(_ row: (counts: [UnmetExpectation.Count], words: String)) throws {
    let step = StepReport(
      scenario: Self.order, step: Self.step(1, nil, line: 1),
      verdict: .failed([.status(wanted: .accepted, got: row.counts)]),
      run: Self.run([(.accepted, .good), (.rejected, .dead), (.unknown, nil)], number: 8),
      exitCode: .failure)
    #expect(step.reasons == ["status: wanted 200, got \(row.words)"])
    let line = step.json
    #expect(line["why"] == [JSON(.string(step.reasons[0]))])
    #expect(line["missed"]?.array?.first?["answers"]?.array?.count == row.counts.count)
  }

  @Test("in JSON name each answer that was not wanted, and count by what was expected")
  func json() throws {
    let step = Self.reports[1].steps[0]
    let missed = try #require(step.json["missed"]?.array)
    #expect(missed[0]["got"] == ["410": 1, "unknown": 1])
    #expect(
      missed[0]["answers"] == [
        [
          "status": 410, "reason": "Unregistered", "outcome": nil, "count": 1,
          "tokens": ["…3d4e5f11"],
        ], ["status": nil, "reason": nil, "outcome": "unknown", "count": 1, "tokens": []],
      ])
    #expect(missed[1]["got"] == ["no reason": 1] && missed[2]["answers"]?.array?.count == 1)
    #expect(missed[3].object?.keys == ["expectation", "wanted", "got"])
    let invalid = Self.reports[2].steps[0].json
    #expect(invalid["step"] == JSON(.null) && invalid["passed"] == false)
    #expect(invalid["problems"]?.array?.first?["line"] == 2)
  }

  @Test("without an expectation say what was not accepted")
  func shortfall() {
    var step = Self.step(1, nil, line: 1)
    step.expectation = nil
    let rows: [(Outcome, Response?)] = [(.accepted, .good), (.rejected, .dead), (.rejected, .dead)]
    let report = StepReport(
      scenario: Self.order, step: step, verdict: .failed([]), run: Self.run(rows, number: 1),
      exitCode: .failure)
    #expect(
      report.reasons == [
        "not all accepted: 410 Unregistered for 2 of 3: …3d4e5f11, …3d4e5f12"
      ])
  }

  private static var expectation: Expectation {
    var expectation = Expectation(origin: .file("s.json5"))
    expectation.status = .accepted
    return expectation
  }

  private static func step(_ number: Int, _ name: String?, line: Int) -> ScenarioStep {
    ScenarioStep(
      number: number, name: name, origin: .file(nil, at: JSONPosition(line: line, column: 5)),
      pauseMilliseconds: 0, fields: [], recipients: [], expectation: expectation)
  }

  private static func run(_ rows: [(Outcome, Response?)], number: Int64) -> StepRun {
    let results = results(rows)
    let figures = report(results)
    var examples = PushExamples(showsTokens: false)
    examples.add(results.filter { $0.outcome == .rejected })
    return StepRun(
      summary: SummaryReport(
        report: figures, environment: "emulator", run: number,
        facts: RequestFacts(
          service: .other, pushType: .alert, topic: "a.b", tokenDigits: 64, providerTokenAge: 0),
        resumeHint: ResumeHint(run: nil, due: nil)),
      text: "environment  emulator\n", examples: examples.tokens)
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
    cancellation.add(control, timeoutMilliseconds: 30_000)
    #expect(control.isStopping)
  }
}
