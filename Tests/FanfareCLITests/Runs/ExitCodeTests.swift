import APNS
import Delivery
import PushModel
import Reporting
import Runs
import Testing

@Suite("The exit code")
struct ExitCodeTests {
  static let merges: [(codes: [ExitCode], merged: ExitCode)] = [
    ([], .success), ([.success, .success], .success), ([.success, .failure], .failure),
    ([.failure, .unfinished], .unfinished), ([.unfinished, .connection], .connection),
    ([.connection, .usage], .usage), ([.failure, .connection, .terminated], .terminated),
    ([.interrupted, .terminated, .unfinished], .interrupted),
  ]

  @Test("of several the one that tells most wins", arguments: merges)
  func merged(_ row: (codes: [ExitCode], merged: ExitCode)) {
    #expect(ExitCode.merged(row.codes) == row.merged)
    #expect(ExitCode.merged(row.codes.reversed()) == row.merged)
  }

  @Test("the numbers are those that the shell and the manual know")
  func numbers() { #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 129, 130, 143]) }

  private static let unreadable = StopCause.list(ListError(list: "key.p8", fault: .isPEM))

  struct Ending: CustomTestStringConvertible {
    let testDescription: String
    let report: Run.Report
    let code: ExitCode

    init(_ name: String, _ report: Run.Report, _ code: ExitCode) {
      testDescription = name
      self.report = report
      self.code = code
    }
  }

  static let endings: [Ending] = [
    Ending("accepted", report(results([(.accepted, .good)])), .success),
    Ending("duplicates", report(results([(.accepted, .good)]), duplicates: 3), .success),
    Ending("a bad line", report(results([(.accepted, .good)]), badLines: 1), .failure),
    Ending("rejected", report(results([(.accepted, .good), (.rejected, .dead)])), .failure),
    Ending("deferred", report(results([(.deferred, nil), (.rejected, .dead)])), .unfinished),
    Ending("unknown", report(results([(.accepted, .good), (.unknown, nil)])), .unfinished),
    Ending("one 403", report(results([(.rejected, .wrongKey)])), .connection),
    Ending(
      "403 after 403",
      report(
        results([(.rejected, .wrongKey), (.notAttempted, nil)]), stopCause: .breaker(.wrongKey)),
      .connection),
    Ending(
      "403 after something was accepted",
      report(
        results([(.accepted, .good), (.notAttempted, nil)]), stopCause: .breaker(.wrongKey)),
      .unfinished),
    Ending("a first list that cannot be read", report([], stopCause: unreadable), .usage),
    Ending(
      "a later list that cannot be read",
      report(results([(.accepted, .good)]), stopCause: unreadable), .unfinished),
    Ending(
      "a later list that cannot be read, and a bad line",
      report(results([(.accepted, .good)]), badLines: 1, stopCause: unreadable), .unfinished),
    Ending(
      "no connection",
      report(results([(.notAttempted, nil)]), stopCause: .connectionLost("reset")), .connection),
  ]

  @Test("of a run tells the worst that happened", arguments: endings)
  func ofRun(_ ending: Ending) { #expect(ending.report.exitCode == ending.code) }
}
