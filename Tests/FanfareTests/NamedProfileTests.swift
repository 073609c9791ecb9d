import APNS
import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import Projects
@testable import fanfare

@Suite("The profile")
struct NamedProfileTests {
  private static let own = """
    {default: 'usual', profiles: {option: {}, scenario: {}, variable: {}, usual: {},
     both: {port: 2197, environment: 'sandbox', ca: 'ca.pem'},
     loop: {credentials: {profile: 'loop'}}}}
    """

  /// A context whose user has a file of profiles.
  private func withProfiles<Result>(
    _ variables: [String: String] = [:], _ text: String = own,
    _ body: (Context) throws -> Result
  ) throws -> Result {
    try withTemporaryFolder { folder in
      try folder.makeFolder(".config/fanfare")
      try folder.write(".config/fanfare/config.json", text)
      var context = context(variables)
      context.configuration = Configuration(folder: nil, ["HOME": folder.path])
      return try body(context)
    }
  }

  static let names: [(option: String?, scenario: String?, variable: String, name: String)] = [
    ("option", "scenario", "variable", "option"), (nil, "scenario", "variable", "scenario"),
    (nil, nil, "variable", "variable"), (nil, nil, "", "usual"),
  ]

  @Test("is the option's, the scenario's, the variable's, then the default", arguments: names)
  func naming(_ row: (option: String?, scenario: String?, variable: String, name: String)) throws {
    var scenario = Scenario(file: "s.json5")
    scenario.profile = row.scenario
    let profile = try withProfiles(["FANFARE_PROFILE": row.variable]) {
      try $0.naming(row.option, scenario).profile()
    }
    #expect(profile?.name == row.name)
  }

  @Test("of a name that no file has is told with what names it and what is near")
  func unknown() throws {
    try withProfiles { context in
      let error = #expect(throws: Failure.self) { try context.naming("optin").profile() }
      let text = error.map { ReportText().text(of: $0.parts()) } ?? ""
      #expect(text.contains("--profile: There is no profile 'optin'."))
      #expect(text.contains("Did you mean 'option'? Profiles are read from /"))
      #expect(error?.exitCode == .usage)
    }
  }

  @Test("is told to be nowhere when there are no files")
  func noFiles() {
    let error = #expect(throws: Failure.self) { try context().naming("a").profile() }
    let text = error.map { ReportText().text(of: $0.parts()) } ?? ""
    #expect(text.contains("'fanfare init' writes one"))
  }

  @Test("gives port and roots to Apple's services, and to none that an option names")
  func place() throws {
    try withProfiles { context in
      let context = context.naming("both")
      let own = try ServerChoice(.init(), scenario: nil, context)
      #expect(own.environment.name == "https://api.sandbox.push.apple.com:2197")
      #expect(own.roots?.hasSuffix("/.config/fanfare/ca.pem") == true)
      let emulator = try ServerChoice(
        Send.parse(["--env", "emulator"]).options.server, scenario: nil, context)
      #expect(emulator.environment == .emulator && emulator.roots == nil)
    }
  }

  @Test("fills limits that no option says")
  func limits() throws {
    try withProfiles([:], "{default: 'p', profiles: {p: {timeout: '5s', retries: 2}}}") { context in
      let (options, _) = try Send.parse(["--retries", "0"]).options.settled(for: nil, context)
      #expect(options.running.timeout.milliseconds == 5000 && options.running.retries.count == 0)
    }
  }

  @Test("of the user's own must not be anybody else's to write", arguments: [0o666, 0o620])
  func writable(_ mode: Int) throws {
    try withTemporaryFolder { folder in
      try folder.makeFolder("fanfare")
      let path = try folder.write("fanfare/config.json", "{}")
      try #require(chmod(path, mode_t(mode)) == 0)
      let configuration = Configuration(folder: nil, ["XDG_CONFIG_HOME": folder.path])
      let error = #expect(throws: Failure.self) { try configuration.profiles() }
      #expect(error?.exitCode == .usage)
      #expect(
        error.map { ReportText().text(of: $0.parts()) }?.contains("chmod 600") == true)
    }
  }

  @Test("that asks its own name for credentials says what is missing")
  func loop() throws {
    try withProfiles { context in
      let error = #expect(throws: Failure.self) {
        try CredentialLayer.chosen(.init(), nil, context.naming("loop"))
      }
      let text = error.map { ReportText().text(of: $0.parts()) } ?? ""
      #expect(text.contains("your own profile of the same name"), "\(text)")
    }
  }
}
