import CommandLineKit
import Delivery
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

@Suite("The plan of a send")
struct SendPlanTests {
  private func plan(_ words: [String]) throws -> SendPlan {
    let context = context()
    let options = try SendCommand.parse(["--bundle-id", "a.b"] + words).options
    return try SendPlan(options.merged(context), context)
  }

  @Test("has the retries that were asked for", arguments: [0, 1, 5])
  func retries(_ count: Int) throws {
    let rules = try plan(["--retries", "\(count)"]).delivery
      .retryRules(isOnePush: false, isOfQueue: false)
    #expect(rules.retries == count)
  }

  @Test("asks for no history in a dry run, whatever it is called")
  func dryRun() throws {
    let unusable = ["--history", ""]
    #expect(try plan(unusable + ["--dry-run"]).history == nil)
    expectFailure("'--history' needs a file path or a URL, not ''.") { try plan(unusable) }
  }
}
