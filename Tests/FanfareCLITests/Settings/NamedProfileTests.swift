import APNS
import CommandLineKit
import Foundation
import Reporting
import Runs
import Settings
import TestSupport
import Testing

@testable import FanfareCLI

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

  private func named(_ name: String?) -> Settings {
    var options = Settings()
    options.profile = name.map { Setting($0, .setting("--profile")) }
    return options
  }

  static let names: [(option: String?, scenario: String?, variable: String, name: String)] = [
    ("option", "scenario", "variable", "option"), (nil, "scenario", "variable", "scenario"),
    (nil, nil, "variable", "variable"), (nil, nil, "", "usual"),
  ]

  @Test("is the option's, the scenario's, the variable's, then the default", arguments: names)
  func naming(_ row: (option: String?, scenario: String?, variable: String, name: String)) throws {
    var scenario = Settings()
    scenario.profile = row.scenario.map { Setting($0, .file("s.json5")) }
    let settings = try withProfiles(["FANFARE_PROFILE": row.variable]) {
      try named(row.option).merged(over: scenario, $0)
    }
    #expect(settings.profile?.value == row.name)
  }

  @Test("of a name that no file has is told with what names it and what is near")
  func unknown() throws {
    try withProfiles { context in
      let error = #expect(throws: Failure.self) { try named("optin").merged(context) }
      let text = error.map { ReportText().text(of: $0.parts()) } ?? ""
      #expect(text.contains("--profile: There is no profile 'optin'."))
      #expect(text.contains("Did you mean 'option'? Profiles are read from /"))
      #expect(error?.exitCode == .usage)
    }
  }

  @Test("that no file has is an error although a key is given, unless a run stored both")
  func unknownBesideKey() throws {
    let origins: [(origin: Origin, isRefused: Bool)] = [
      (.setting("--profile"), true), (.setting("FANFARE_PROFILE"), true), (.file("s.json5"), true),
      (.storedRun, false),
    ]
    for (origin, isRefused) in origins {
      for key in ["AuthKey_ABC123DEFG.p8", nil] {
        var settings = Settings()
        settings.profile = Setting("gone", origin)
        settings.key = key.map { Setting(.file($0), .setting("--key")) }
        let error: Failure? = try withProfiles { context in
          do throws(Failure) { _ = try settings.merged(context) } catch { return error }
          return nil
        }
        let isUnknown = if case .unknown? = error?.cause(ProfileError.self) { true } else { false }
        #expect(isUnknown == (isRefused || key == nil), "\(origin) \(key ?? "")")
      }
    }
  }

  @Test("of the project comes before the user's own of the same name")
  func twoFiles() throws {
    try withTemporaryFolder { folder in
      try folder.makeFolder(".config/fanfare")
      try folder.write(
        ".config/fanfare/config.json",
        "{default: 'b', profiles: {a: {bundleID: 'own.a'}, b: {bundleID: 'own.b'}}}")
      let project = try folder.write(
        "fanfare.json", "{default: 'a', profiles: {a: {bundleID: 'project.a'}}}")
      var context = context()
      context.configuration = Configuration(folder: nil, ["HOME": folder.path], named: project)
      for (name, app) in [(nil, "project.a"), ("a", "project.a"), ("b", "own.b")] {
        #expect(try named(name).merged(context).bundleID?.value == app)
      }
    }
  }

  @Test("is told to be nowhere when there are no files")
  func noFiles() {
    let error = #expect(throws: Failure.self) { try named("a").merged(context()) }
    let text = error.map { ReportText().text(of: $0.parts()) } ?? ""
    #expect(text.contains("'fanfare init' writes one"))
  }

  @Test("gives port and roots to Apple's services, and to none that an option names")
  func place() throws {
    try withProfiles { context in
      let own = try ServerChoice(named("both").merged(context), context)
      #expect(own.environment.name == "https://api.sandbox.push.apple.com:2197")
      #expect(own.roots?.hasSuffix("/.config/fanfare/ca.pem") == true)
      let options = try SendCommand.parse(["--env", "emulator", "--profile", "both"]).options
      let emulator = try ServerChoice(options.merged(context), context)
      #expect(emulator.environment == .emulator && emulator.roots == nil)
    }
  }

  @Test("fills limits that no option says")
  func limits() throws {
    try withProfiles([:], "{default: 'p', profiles: {p: {timeout: '5s', retries: 2}}}") { context in
      let settings = try SendCommand.parse(["--retries", "0"]).options.merged(context)
      #expect(settings.timeoutMilliseconds == 5000 && settings.retries?.value == 0)
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
        var settings = try named("loop").merged(context)
        try settings.findCredentials(context)
      }
      let text = error.map { ReportText().text(of: $0.parts()) } ?? ""
      #expect(text.contains("your own profile of the same name"), "\(text)")
    }
  }
}
