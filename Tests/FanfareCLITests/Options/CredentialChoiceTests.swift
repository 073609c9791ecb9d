import APNS
import CommandLineKit
import Foundation
import Runs
import TestSupport
import Testing

@testable import Credentials
@testable import FanfareCLI
@testable import Reporting
@testable import Settings

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

  @Test("of an option or a scenario are used although variables contradict each other")
  func contradictingVariables() throws {
    let variables = ["FANFARE_KEY": "variable.p8", "FANFARE_CERT": "variable.p12"]
    #expect(try failure([], nil, variables).contains("FANFARE_CERT"))
    for (words, file) in [(["--key", "option.p8"], nil), ([], "scenario.p8")] {
      let text = try failure(words, scenario(file), variables)
      #expect(text.contains("The key file \(file ?? "option.p8") does not exist."), "\(text)")
    }
  }

  @Test("are made up for the emulator if a file names some that are not here, and only then")
  func madeUp() throws {
    #expect(try failure([], scenario("none.p8"), [:], for: .emulator) == "")
    let rows: [(words: [String], variables: [String: String])] = [
      (["--key", "none.p8"], [:]), ([], ["FANFARE_KEY": "none.p8"]),
    ]
    for row in rows {
      let text = try failure(row.words, nil, row.variables, for: .emulator)
      #expect(text.contains("none.p8 does not exist."), "\(text)")
    }
  }

  @Test("of variables are not kept with a run: the next pass reads them again")
  func notKept() throws {
    try withKey { path, _ in
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let ids = ["FANFARE_KEY_ID": "ABC123DEFG", "FANFARE_TEAM_ID": "DEF123GHIJ"]
      let opened = try self.key([], ids.merging(["FANFARE_KEY": text]) { $1 })
      #expect(opened.ids == ["ABC123DEFG", "DEF123GHIJ"] && opened.stored == Settings())
    }
  }

  @Test("need a key from somewhere")
  func none() throws { #expect(try failure([], nil, [:]).contains("No credentials given.")) }

  @Test("come whole from one layer: ids of a lower one do not count")
  func whole() throws {
    let text = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure(["--key", $0], nil, Self.variables)
    }
    #expect(text.contains("The team ID is missing."))
    #expect(text.contains("Give --team-id. FANFARE_TEAM_ID is set"))
  }

  @Test("of a scenario do not take the variables' ids either")
  func wholeScenario() throws {
    let text = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure([], scenario($0), Self.variables)
    }
    #expect(text.contains("Give credentials.teamID. FANFARE_TEAM_ID is set"))
  }

  @Test("have the key ID that the file's name tells, unless another is said")
  func keyID() throws {
    let named = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure(["--key", $0, "--team-id", "DEF123GHIJ"], nil, [:])
    }
    #expect(named.contains("This is not a key"))
    let unnamed = try withFile("key.p8", "no key") {
      try failure(["--key", $0, "--team-id", "DEF123GHIJ"], nil, [:])
    }
    #expect(unnamed.contains("The key ID is missing."))
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
    #expect(text.contains("--team-id: not a team ID: "))
    #expect(text.contains(row.evidence))
  }

  @Test("do not take ids without a key", arguments: ["--key-id", "--team-id"])
  func idsAlone(_ option: String) throws {
    for variables in [[:], ["FANFARE_CERT": "variable.p12"]] {
      let text = try failure([option, "ABC123DEFG"], nil, variables)
      #expect(text.contains("\(option) needs a key: give --key too."), "\(text)")
    }
  }

  @Test("have the IDs of options, which are no secret, whatever layer names the key")
  func idsOfOptions() throws {
    try withKey { path, _ in
      let words = ["--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ"]
      let others = ["FANFARE_KEY_ID": "VARIABLE00", "FANFARE_TEAM_ID": "VARIABLE11"]
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for key in [path, text] {
        for variables in [[:], others] {
          let opened = try self.key(words, variables.merging(["FANFARE_KEY": key]) { $1 })
          #expect(opened.ids == ["ABC123DEFG", "DEF123GHIJ"])
          // A run that is resumed has no options.
          #expect(opened.stored.keyID?.value == "ABC123DEFG")
          #expect(opened.stored.teamID?.value == "DEF123GHIJ")
        }
      }
      #expect(try failure(words, scenario(path, teamID: "SCENARIO11"), [:]) == "")
    }
  }

  @Test("are told which option has a wrong ID, whatever layer names the key")
  func wrongIDOfOption() throws {
    let text = try withFile("AuthKey_ABC123DEFG.p8", "no key") {
      try failure(["--team-id", "DEF"], nil, ["FANFARE_KEY": $0])
    }
    #expect(text.contains("--team-id: not a team ID: it has 3 characters"), "\(text)")
  }

  @Test("do not take a password for nothing that it could open")
  func passwordAlone() throws {
    let certificate = ["FANFARE_CERT": "variable.p12"]
    let (ofKey, ofCertificate) = (["--key-password-file", "p"], ["--cert-password-file", "p"])
    for variables in [[:], certificate] {
      let text = try failure(ofKey, nil, variables)
      #expect(text.contains("--key-password-file needs a key: give --key too."), "\(text)")
    }
    for variables in [[:], Self.variables] {
      let text = try failure(ofCertificate, nil, variables)
      #expect(text.contains("--cert-password-file needs a certificate: give --cert too."))
    }
    #expect(try failure(ofKey, nil, Self.variables).contains("FANFARE_KEY: The key file"))
    #expect(try failure(ofCertificate, nil, certificate).contains("FANFARE_CERT: The certificate"))
  }

  @Test(
    "name the variable whose text is neither a key nor the path of one, and do not repeat a key",
    arguments: [
      "none.p8", "'\(String(repeating: "MIGH", count: 46))'", String(repeating: "30", count: 138),
    ])
  func badVariable(_ value: String) throws {
    let text = try failure([], nil, ["FANFARE_KEY": value])
    #expect(text.contains("FANFARE_KEY: The key file "), "\(text)")
    #expect(text.contains("FANFARE_KEY takes a path, PEM text, or base64"), "\(text)")
    #expect(text.contains(value) == (value == "none.p8"))
  }

  @Test(
    "tell an empty name, which an unset variable of a shell leaves, from a file that is missing")
  func emptyName() throws {
    let text = try failure(["--key", ""], nil, [:])
    #expect(text.contains("The name of the key file is empty."), "\(text)")
  }

  /// The options, scenario or variables that name a key file with two ids, and what ids are called.
  private func failures(
    _ file: String, keyID: String, teamID: String
  ) throws -> [(text: String, settings: [String])] {
    let scenario = scenario(file, keyID: keyID, teamID: teamID)
    let variables = [
      "FANFARE_KEY": file, "FANFARE_KEY_ID": keyID, "FANFARE_TEAM_ID": teamID,
    ]
    let words = ["--key", file, "--key-id", keyID, "--team-id", teamID]
    return [
      (try failure(words, nil, [:]), ["--key-id", "--team-id"]),
      (try failure([], scenario, [:]), ["credentials.keyID", "credentials.teamID"]),
      (try failure([], nil, variables), ["FANFARE_KEY_ID", "FANFARE_TEAM_ID"]),
    ]
  }

  @Test("are told when key ID and team ID are swapped, wherever they stand")
  func swapped() throws {
    try withFile("AuthKey_ABC123DEFG.p8", "no key") { file in
      for (text, settings) in try failures(file, keyID: "DEF123GHIJ", teamID: "ABC123DEFG") {
        #expect(text.contains("Key ID and team ID are swapped"), "\(text)")
        for setting in settings { #expect(text.contains(setting), "\(text)") }
      }
    }
  }

  @Test("are told when key ID and team ID are the same", arguments: ["ABC123DEFG", "DEF123GHIJ"])
  func same(_ id: String) throws {
    try withFile("AuthKey_ABC123DEFG.p8", "no key") { file in
      for (text, _) in try failures(file, keyID: id, teamID: id) {
        #expect(text.contains("both \(id)"), "\(text)")
      }
      let fromName = try failure(["--key", file, "--team-id", "ABC123DEFG"], nil, [:])
      #expect(fromName.contains("both ABC123DEFG"))
    }
  }

  @Test("of a scenario are told to be swapped without the key")
  func swappedInScenario() {
    let scenario = scenario(
      "none/AuthKey_ABC123DEFG.p8", keyID: "DEF123GHIJ", teamID: "ABC123DEFG")
    let faults = scenario.credentialFaults(context())
    #expect(faults.count == 1)
    #expect(faults.first?.exitCode == .usage)
  }

  @Test("are doubted, and used, when a file's name says another id")
  func renamed() throws {
    let choice = try choice(["--key-id", "ABC123DEFH"])
    let warning = CredentialWarning.otherKeyID(
      "ABC123DEFH", fileName: "ABC123DEFG", setting: "--key-id")
    #expect(choice.warnings == [warning])
    #expect(choice.stored.keyID?.value == "ABC123DEFH")
  }

  @Test("are doubted when others can read the key, and refused when they can change it")
  func permissions() throws {
    let exposed = try choice([], mode: 0o644)
    guard case .exposedFile(let path, "key", 0o644)? = exposed.warnings.first else {
      Issue.record("\(exposed.warnings)")
      return
    }
    #expect(path.hasSuffix(keyFile))
    try withKey(mode: 0o622) { path, _ in
      let text = try failure(["--key", path, "--team-id", "DEF123GHIJ"], nil, [:])
      #expect(text.contains("is writable by other users (mode 0622)"))
    }
  }

  @Test("open a locked key with the password of a file or variable")
  func passwords() throws {
    try withKey(password: "x y") { key, folder in
      let words = ["--key", key, "--team-id", "DEF123GHIJ"]
      #expect(try failure(words, nil, [:]).contains("The key is encrypted with a password."))
      #expect(try failure(words, nil, ["FANFARE_KEY_PASSWORD": "x y"]) == "")
      #expect(
        try failure(words, nil, ["FANFARE_KEY_PASSWORD": "x"]).contains("does not open the key"))
      for end in ["", "\n", "\r\n"] {
        let file = try folder.write("password", "x y" + end)
        try #require(chmod(file, 0o600) == 0)
        let password = ["--key-password-file", file]
        #expect(try failure(words + password, nil, ["FANFARE_KEY_PASSWORD": "no"]) == "")
      }
      let missing = try failure(words + ["--key-password-file", "none"], nil, [:])
      #expect(missing.contains("The key password file none does not exist."))
      let open = try folder.write("open", "x y")
      try #require(chmod(open, 0o666) == 0)
      #expect(try failure(words + ["--key-password-file", open], nil, [:]).contains("mode 0666"))
    }
  }

  @Test("wonder at a password for a key without a lock, unless it may be another key's")
  func idlePassword() throws {
    let password = ["FANFARE_KEY_PASSWORD": "x"]
    #expect(try choice([], variables: password).warnings == [])
    try withKey { key, folder in
      let variables = ["FANFARE_KEY": key, "FANFARE_TEAM_ID": "DEF123GHIJ"]
      let all = variables.merging(password) { $1 }
      let choice = try self.key([], all)
      #expect(choice.warnings == [.idlePassword(setting: "FANFARE_KEY_PASSWORD", key: key)])
      let file = try folder.write("password", "x")
      try #require(chmod(file, 0o600) == 0)
      let words = ["--key", key, "--team-id", "DEF123GHIJ", "--key-password-file", file]
      let other = try self.key(words)
      #expect(other.warnings == [.idlePassword(setting: "--key-password-file", key: key)])
    }
  }

  @Test(
    "share provider tokens in the user's cache folder",
    arguments: [
      (["XDG_CACHE_HOME": "/x", "HOME": "/h"], [], "x/fanfare"),
      (["HOME": "/h"], [], "h/.cache/fanfare"),
      (["XDG_CACHE_HOME": "x", "HOME": "/h"], [], "h/.cache/fanfare"),
      (["XDG_CACHE_HOME": "", "HOME": "/h"], [], "h/.cache/fanfare"),
      (["HOME": "h"], [], nil), (["HOME": ""], [], nil), ([:], [], nil),
      (["HOME": "/h"], ["--no-token-cache"], nil),
    ])
  func cache(_ row: (variables: [String: String], words: [String], folder: String?)) throws {
    try withKey { key, folder in
      let variables = row.variables.mapValues { $0.hasPrefix("/") ? folder.path + $0 : $0 }
      let words = ["--key", key, "--team-id", "DEF123GHIJ"] + row.words
      #expect(try failure(words, nil, variables) == "")
      let kept = try folder.names().filter { $0 != keyFile }
      let roots = row.folder.map { [String($0.prefix(1))] } ?? []
      #expect(kept == roots)
      if let name = row.folder {
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder.file(name))
        #expect(entries.count == 2)
      }
    }
  }

  @Test("that were made up are kept nowhere")
  func throwAway() throws {
    try withTemporaryFolder { folder in
      _ = try OpenedCredentials.throwAway(context(["HOME": folder.path])).providerToken()
      #expect(try folder.names() == [])
    }
  }

  private let keyFile = "AuthKey_ABC123DEFG.p8"

  /// A good key, locked or not.
  private func withKey<Result>(
    password: String? = nil, mode: mode_t = 0o600,
    _ body: (String, TemporaryFolder) throws -> Result
  ) throws -> Result {
    try withTemporaryFolder { folder in
      let curve = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
      let lock = password.map { ["-aes256", "-pass", "pass:\($0)"] } ?? []
      let made = try run("openssl", ["genpkey", "-out", keyFile] + curve + lock, in: folder)
      try #require(made.exitCode == 0, "\(made.errors)")
      for name in try folder.names() where name != keyFile { unlink(folder.file(name)) }
      try #require(chmod(folder.file(keyFile), mode) == 0)
      return try body(folder.file(keyFile), folder)
    }
  }

  /// What becomes of a good key with these options.
  private func choice(
    _ words: [String], mode: mode_t = 0o600, variables: [String: String] = [:]
  ) throws -> OpenedCredentials {
    try withKey(mode: mode) { key, _ in
      try self.key(["--key", key, "--team-id", "DEF123GHIJ"] + words, variables)
    }
  }

  /// The key that options and variables name.
  private func key(
    _ words: [String], _ variables: [String: String] = [:]
  ) throws -> OpenedCredentials {
    let context = context(variables)
    var settings = try SendCommand.parse(words).options.merged(context)
    try settings.findCredentials(context)
    return try OpenedCredentials.key(settings, context)
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
    _ words: [String], _ scenario: Settings?, _ variables: [String: String],
    for environment: PushEnvironment = .production
  ) throws -> String {
    let options = try SendCommand.parse(words).options
    do {
      let context = context(variables)
      let settings = try options.merged(over: scenario ?? Settings(), context)
      _ = try NamedCredentials.find(settings, for: environment, context)
        .open(for: environment, context)
    } catch {
      return ReportText().text(of: error.parts())
    }
    return ""
  }

  private func scenario(
    _ key: String?, keyID: String? = nil, teamID: String? = nil
  ) -> Settings {
    var scenario = Settings()
    let origin = Origin.file("s.json5")
    scenario.key = key.map { Setting(.file($0), origin) }
    scenario.keyID = keyID.map { Setting($0, origin) }
    scenario.teamID = teamID.map { Setting($0, origin) }
    return scenario
  }
}

extension OpenedCredentials {
  /// The key ID and the team ID.
  fileprivate var ids: [String] {
    if case .key(let keyID, let teamID, _) = kind { [keyID.text, teamID.text] } else { [] }
  }
}
