import APNS
import CommandLineKit
import Delivery
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

@Suite("The choices of a run")
struct RunChoicesTests {
  private func choices(_ words: [String]) throws -> RunChoices {
    let context = context(["HOME": "/home/ada"])
    let options = try SendCommand.parse(["--bundle-id", "a.b"] + words).options
    return try RunChoices(options.merged(context), context)
  }

  @Test("has the retries that were asked for", arguments: [0, 1, 5])
  func retries(_ count: Int) throws {
    let rules = try choices(["--retries", "\(count)"]).delivery
      .retryRules(isOnePush: false, isOfQueue: false)
    #expect(rules.retries == count)
  }

  @Test("names the history in commands where they would not find it by themselves")
  func history() throws {
    let origins: [(origin: Origin, isNamed: Bool)] = [
      (.setting("--history"), true), (.file("fanfare.json"), true),
      (.setting("FANFARE_HISTORY"), false), (.builtIn, false),
    ]
    for (origin, isNamed) in origins {
      var settings = Settings()
      settings.history = Setting("/h.sqlite", origin)
      let choice = try HistoryChoice(settings)
      #expect(choice?.location == "/h.sqlite")
      #expect(choice?.name == (isNamed ? "/h.sqlite" : nil), "\(origin)")
    }
  }

  @Test("asks for no history in a dry run, whatever it is called")
  func dryRun() throws {
    let unusable = ["--history", ""]
    #expect(try choices(unusable + ["--dry-run"]).history == nil)
    expectFailure("'--history' needs a file path or a URL, not ''.") { try choices(unusable) }
  }
}
