import CommandLineKit
import TestSupport
import Testing

@testable import PushCore
@testable import fanfare

/// Keys that cannot be read or used show by the error which layer was taken.
@Suite("The credentials")
struct CredentialChoiceTests {
  static let variables = [
    "FANFARE_KEY": "variable.p8", "FANFARE_KEY_ID": "VARIABLE00", "FANFARE_TEAM_ID": "VARIABLE11",
  ]

  @Test(
    "are the option's, else the scenario's, else the variables'",
    arguments: [
      (["--key", "option.p8"], "scenario.p8", "option.p8"), ([], "scenario.p8", "scenario.p8"),
      ([], nil, "variable.p8"),
    ])
  func precedence(_ row: (words: [String], scenario: String?, file: String)) throws {
    let text = try failure(row.words, scenario(row.scenario), Self.variables)
    #expect(text.contains("The key file \(row.file) does not exist."))
  }

  @Test("need a key from somewhere")
  func none() throws { #expect(try failure([], nil, [:]).contains("No signing key is named.")) }

  @Test("come whole from one layer: ids of a lower one do not count")
  func whole() throws {
    let text = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure(["--key", $0], nil, Self.variables)
    }
    #expect(text.contains("The team id is missing."))
    #expect(text.contains("Give --team-id. FANFARE_TEAM_ID is set"))
  }

  @Test("of a scenario do not take the variables' ids either")
  func wholeScenario() throws {
    let text = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure([], scenario($0), Self.variables)
    }
    #expect(text.contains("Give credentials.teamID. FANFARE_TEAM_ID is set"))
  }

  @Test("have the key id that the file's name tells, unless another is said")
  func keyID() throws {
    let named = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure(["--key", $0, "--team-id", "DEF123GHIJ"], nil, [:])
    }
    #expect(named.contains("This is no key"))
    let unnamed = try withFile("key.p8", "no key") {
      try failure(["--key", $0, "--team-id", "DEF123GHIJ"], nil, [:])
    }
    #expect(unnamed.contains("The key id is missing."))
  }

  @Test(
    "take ids of exactly ten capitals and digits",
    arguments: [
      ("ABC123DEF", "9 characters"), ("ABC123DEFGH", "11 characters"), ("abc123defg", "'a'"),
      ("ABC123DEF\u{1b}", "'\\u{1b}'"), ("", "0 characters"),
    ])
  func badIdentifier(_ row: (id: String, evidence: String)) throws {
    let text = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure(["--key", $0, "--team-id", row.id], nil, [:])
    }
    #expect(text.contains("--team-id: this is no team id: "))
    #expect(text.contains(row.evidence))
  }

  @Test("do not take ids without a key", arguments: ["--key-id", "--team-id"])
  func idsAlone(_ option: String) throws {
    let text = try failure([option, "ABC123DEFG"], nil, Self.variables)
    #expect(text.contains("\(option) goes with a key: give --key too."))
  }

  @Test("are not shown where a path was expected")
  func keyForPath() throws {
    try expectHidden(String(repeating: "MIGHAgEAMBMGByqGSM49", count: 10))
  }

  @Test("are not shown either when it is but a line of the key")
  func lineForPath() throws {
    try expectHidden("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrlbJqz2lNTtBjXZ9")
    try expectHidden("MIGHAgEAMBMGByqGSM49")
  }

  private func expectHidden(_ key: String) throws {
    let fromOption = try failure(["--key", key], nil, [:])
    let fromVariable = try failure([], nil, ["FANFARE_KEY": key])
    for text in [fromOption, fromVariable] {
      #expect(text.contains("key") && !text.contains("MIGHAgEAMBMGByqGSM49"))
    }
  }

  private func failure(
    _ words: [String], _ scenario: Scenario?, _ variables: [String: String]
  ) throws -> String {
    let options = try Send.parse(words).options.credentials
    do {
      _ = try CredentialChoice.resolve(options, scenario: scenario, context(variables))
    } catch {
      return FailureText(hasColor: false).text(of: error)
    }
    return ""
  }

  private func scenario(_ key: String?) -> Scenario {
    var scenario = Scenario(file: "s.json5")
    scenario.credentials = key.map { Scenario.Credentials(key: .file($0)) }
    return scenario
  }
}
