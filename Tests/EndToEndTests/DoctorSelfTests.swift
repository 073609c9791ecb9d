import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare doctor --self")
struct DoctorSelfTests {
  /// The steps with a verdict.
  private func steps(_ result: Program.Result, _ verdict: String) throws -> [String] {
    let steps = try #require(try JSON(text: result.output)["steps"]?.array)
    #expect(steps.count == 6)
    return steps.filter { $0["verdict"]?.string == verdict }.compactMap { $0["step"]?.string }
  }

  /// What lies in the folder, which is home and temporary folder, too. The test's own files are hidden.
  private func names(_ fanfare: Fanfare) throws -> [String] {
    try fanfare.folder.names().filter { !$0.hasPrefix(".errors-") }
  }

  /// Runs it, and looks for what it leaves behind.
  private func run(
    _ fanfare: Fanfare, _ words: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    let before = try names(fanfare)
    let result = try fanfare.run(["doctor", "--self"] + words, environment: environment)
    #expect(try names(fanfare) == before)
    return result
  }

  @Test("finds all that it needs here, and leaves nothing behind")
  func here() throws {
    try withFanfare { fanfare in
      let text = try run(fanfare)
      #expect(text.exitCode == 0 && text.errors == "", "\(text.output)")
      #expect(text.output.contains("fanfare works on this machine."))
      let json = try run(fanfare, "--json")
      #expect(json.exitCode == 0)
      #expect(try steps(json, "broken") == [] && steps(json, "notReached") == [])
    }
  }

  @Test("reads neither settings nor variables of the user, and writes no history")
  func alone() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.json", "{broken")
      let result = try run(
        fanfare, "--json",
        environment: [
          "FANFARE_ENV": "production", "FANFARE_KEY": "none.p8",
          "HTTPS_PROXY": "http://127.0.0.1:1",
          "ALL_PROXY": "http://127.0.0.1:1",
          "XDG_STATE_HOME": fanfare.folder.file("state"),
          "XDG_CACHE_HOME": fanfare.folder.file("cache"),
        ])
      #expect(result.exitCode == 0 && result.errors == "", "\(result.output)")
    }
  }

  @Test("names a temporary folder that is missing, and what could not be tested without it")
  func noTemporaryFolder() throws {
    try withFanfare { fanfare in
      let missing = ["TMPDIR": fanfare.folder.file("none")]
      let result = try run(fanfare, "--json", environment: missing)
      #expect(result.exitCode == 3)
      #expect(try steps(result, "broken") == ["push"])
      #expect(try steps(result, "notReached") == ["certificates"])
    }
  }
}
