import APNS
import CommandLineKit
import Dispatch
import Foundation
import Recipients
import Reporting
import Settings
import TestSupport
import Testing
import Tools

@testable import FanfareCLI

@Suite("A named device")
struct DeviceTests {
  private static let devices = """
    {"devices": {
      "phone": {"token": "0a1b", "environment": "sandbox", "bundleID": "com.device.app"},
      "tablet": {"token": "0c0d", "environment": "production"}, "watch": {"token": "0e0f"},
      "qa": ["phone", "watch"], "all": ["phone", "tablet"]}}
    """

  private func withDevices<Result>(
    _ variables: [String: String] = [:], _ text: String? = devices,
    _ body: (Context, TemporaryFolder) throws -> Result
  ) throws -> Result {
    try withTemporaryFolder { folder in
      try folder.makeFolder(".config/fanfare")
      if let text { try folder.write(".config/fanfare/devices.json", text) }
      var context = context(variables)
      context.configuration = Configuration(folder: nil, ["HOME": folder.path])
      return try body(context, folder)
    }
  }

  private func merged(
    _ words: [String], over lower: Settings = Settings(), _ variables: [String: String] = [:]
  ) throws -> Settings {
    try withDevices(variables) { context, _ in
      try SendCommand.parse(words).options.merged(over: lower, context)
    }
  }

  private func failure(_ words: [String]) -> String {
    let error = #expect(throws: Failure.self) { try merged(words) }
    #expect(error?.exitCode == .usage)
    return error.map { ReportText().text(of: $0.parts()) } ?? ""
  }

  @Test("stands for its token, its environment and its app, and a group for all of them")
  func found() throws {
    let settings = try merged(["--to", "qa", "--to", "ff"])
    #expect(settings.recipientSources.count == 1)
    #expect(settings.to?.value.compactMap(\.token?.hex) == ["0a1b", "0e0f", "ff"])
    #expect(settings.environment?.value == .named(.sandbox))
    #expect(settings.bundleID?.value == "com.device.app")
  }

  @Test("gives way to options and scenarios, and comes before variables but in where to send")
  func precedence() throws {
    let variables = ["FANFARE_ENV": "sandbox", "FANFARE_BUNDLE_ID": "com.variable.app"]
    let plain = try merged(["--to", "phone"], variables)
    #expect(plain.environment?.value == .named(.sandbox))
    for place in ["emulator", "inbox", "production"] {
      let other = try merged(["--to", "phone"], ["FANFARE_ENV": place])
      #expect(other.environment?.value == EnvironmentSetting(name: place), "\(place)")
    }
    let undecided = try merged(["--to", "phone"], ["FANFARE_ENV": "auto"])
    #expect(undecided.environment?.value == .named(.sandbox))
    #expect(plain.bundleID?.value == "com.device.app")
    let options = ["--env", "emulator", "--bundle-id", "com.option.app", "--to", "phone"]
    let given = try merged(options, variables)
    #expect(given.environment?.value == .named(.emulator))
    #expect(given.bundleID?.value == "com.option.app")
    var scenario = Settings()
    scenario.environment = Setting(.named(.emulator), .file("s.json5"))
    let ofScenario = try merged(["--to", "phone"], over: scenario)
    #expect(ofScenario.environment?.value == .named(.emulator))
    let server = try merged(["--server", "https://127.0.0.1:1", "--to", "phone"])
    #expect(server.environment?.value != .named(.sandbox))
  }

  @Test("is the user's own rather than the project's, and the one that was added rather than both")
  func files() throws {
    try withDevices([:], #"{"devices": {"phone": {"token": "0a"}}}"#) { context, folder in
      try folder.write(
        ".config/fanfare/config.json", "{devices: {phone: {token: '1a'}, tv: {token: '1b'}}}")
      let project = try folder.write(
        "fanfare.json",
        "{devices: {phone: {token: '2a'}, tv: {token: '2b'}, watch: {token: '2c'}}}")
      let configuration = Configuration(folder: nil, ["HOME": folder.path], named: project)
      let words = ["phone", "tv", "watch"].flatMap { ["--to", $0] }
      let settings = try SendCommand.parse(words).options.merged(context.with(configuration))
      #expect(settings.to?.value.compactMap(\.token?.hex) == ["0a", "1b", "2c"])
    }
  }

  @Test("that disagrees with another is refused, unless an option settles it")
  func disagreement() throws {
    let text = failure(["--to", "all"])
    #expect(text.contains("'phone' is for sandbox, 'tablet' for production"), "\(text)")
    #expect(text.contains("--env"))
    let settled = try merged(["--to", "all", "--env", "sandbox"])
    #expect(settled.to?.value.count == 2)
  }

  @Test("that is unknown is told with what is near, and the others")
  func unknown() {
    let text = failure(["--to", "phnoe"])
    #expect(text.contains("--to: There is no device 'phnoe'."), "\(text)")
    #expect(text.contains("Did you mean 'phone'? Devices: phone, tablet, watch, qa, all."))
  }

  @Test("is never base64, which is a device token where its bytes are as many")
  func base64() throws {
    let word = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="
    let settings = try merged(["--to", word])
    let hex = String(repeating: "abcdef1234567890", count: 4)
    #expect(settings.to?.value.compactMap(\.token?.hex) == [hex])
    let short = String(word.dropFirst(8))
    let (hidden, shown) = (failure(["--to", short]), failure(["--to", short, "--show-tokens"]))
    #expect(hidden.contains("base64") && !hidden.contains("abcdef12"), "\(hidden)")
    #expect(shown.contains("abcdef1234567890"), "\(shown)")
    #expect(!hidden.contains(short) && !shown.contains(short))
    try withDevices { context, _ in
      try add("pad", [word], context)
      #expect(try token("pad", context) == [hex])
    }
  }

  private static let (one, other) = (
    String(repeating: "0a1b2c3d", count: 8), String(repeating: "9f8e7d6c", count: 8)
  )

  static let pasted: [(words: [String], tokens: [String])] = [
    (["\(one) \(other)"], [one, other]), (["\(one)\n\(other)\n"], [one, other]),
    (["\(one),\(other)"], [one, other]), (["\(one), watch", other], [one, "0e0f", other]),
    (["<0a1b2c3d 0a1b2c3d>"], ["0a1b2c3d0a1b2c3d"]), (["ff,watch"], ["ff", "0e0f"]),
  ]

  @Test("and device tokens can be several in one word", arguments: pasted)
  func several(_ row: (words: [String], tokens: [String])) throws {
    let settings = try merged(row.words.flatMap { ["--to", $0] })
    #expect(settings.to?.value.compactMap(\.token?.hex) == row.tokens)
  }

  @Test("stands beside lists, which - and @FILE name")
  func lists() throws {
    try withDevices { context, folder in
      let path = try folder.write("list.txt", "0a\n")
      let options = try SendCommand.parse(
        ["--to", "watch", "--to", "-", "--to", "@\(path)", "--columns", "user_id"]
      ).options
      let settings = try options.merged(context)
      #expect(settings.recipientSources.map(\.name) == ["--to", "-", path])
      #expect(options.readingStandardInput == ["--to"])
      let only = try SendCommand.parse(["--to", "@\(path)"]).options.merged(context)
      #expect(only.to == nil && only.tokens?.value == [path])
    }
    #expect(failure(["--to", "@nobody"]).contains("no device '@nobody', and no file 'nobody'"))
  }

  static let refused = [
    "a1b2c3d4e5f6a7b8a1b2c3d4e5f6a7b8a1b2c3d4e5f6a7b8a1b2c3d4e5f6a7bO",
    "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", "a1b2c3d4e5f6a7b8g", "a1b2c3d4...e5f6a7b8",
  ]

  @Test("is no device token with a slip, which is not shown", arguments: refused)
  func slip(_ word: String) throws {
    let problem = #expect(throws: UsageProblem.self) { try SendCommand.parse(["--to", word]) }
    let text = problem.map { UsageError($0, path: ["fanfare", "send"]).message } ?? ""
    #expect(text.contains("…\(word.suffix(8))") && !text.contains(word), "\(text)")
  }

  private func add(
    _ name: String, _ words: [String], env: String? = nil, _ context: Context
  ) throws {
    var add = DeviceAdd()
    (add.name, add.words, add.environment) = (name, words, env)
    _ = try add.run(context)
  }

  private func token(_ name: String, _ context: Context) throws -> [String] {
    try context.configuration.renewed.devices().devices(name).map(\.token.hex)
  }

  @Test("is added to a file that only its owner can read, in a folder that is made")
  func adding() throws {
    try withTemporaryFolder { folder in
      var context = context()
      context.configuration = Configuration(folder: nil, ["HOME": folder.path])
      try add("phone", ["<0A1B 2C3D>"], env: "sandbox", context)
      let path = folder.file(".config/fanfare/devices.json")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let place = folder.file(".config/fanfare")
      let placeMode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions]
      #expect(placeMode as? Int == 0o700)
      #expect(try token("phone", context) == ["0a1b2c3d"])
    }
  }

  @Test("that is added again keeps what is not said, and everything else in the file")
  func renewing() throws {
    try withDevices(
      [:],
      #"{"$schema": "s", "devices": {"phone": {"token": "0a", "environment": {"server": "https://a.example"}}, "x": {"token": "0b"}}}"#
    ) {
      context, folder in
      let path = folder.file(".config/fanfare/devices.json")
      try #require(chmod(path, 0o640) == 0)
      try add("phone", ["0c"], context.with(context.configuration.renewed))
      let text = try folder.text(".config/fanfare/devices.json")
      #expect(text.contains("https://a.example") && text.contains("$schema"))
      #expect(try token("phone", context) == ["0c"])
      #expect(try token("x", context) == ["0b"])
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o640)
    }
  }

  @Test("comes in a new file that takes the place of the old one, with nothing left beside it")
  func replacing() throws {
    try withDevices { context, folder in
      try FileManager.default.linkItem(
        atPath: folder.file(".config/fanfare/devices.json"), toPath: folder.file("old.json"))
      try add("new", ["0a"], context)
      let old = try folder.text("old.json")
      #expect(old == Self.devices)
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.file(".config/fanfare"))
      #expect(names == ["devices.json"])
    }
  }

  @Test("is not lost when others are added at the same time")
  func atOnce() throws {
    try withDevices { context, _ in
      let names = (0..<32).map { "new-\($0)" }
      DispatchQueue.concurrentPerform(iterations: names.count) { index in
        var add = DeviceAdd()
        (add.name, add.words) = (names[index], ["0a"])
        _ = try? add.run(context)
      }
      let known = try context.configuration.renewed.devices()
      #expect(names.filter { known[$0] == nil } == [])
    }
  }

  @Test("is not added where the folder cannot be locked", .enabled(if: geteuid() != 0))
  func unlockable() throws {
    try withDevices { context, folder in
      let place = folder.file(".config/fanfare")
      try #require(chmod(place, 0o300) == 0)
      defer { chmod(place, 0o700) }
      expectFailure("cannot be written") { try add("new", ["0a"], context) }
    }
  }

  @Test("is not written into a file with comments")
  func comments() throws {
    let text = "// Mine.\n{devices: {}}\n"
    try withDevices([:], text) { context, folder in
      expectFailure("is not plain JSON; writing it would lose comments") {
        try add("phone", ["0a"], context)
      }
      let kept = try folder.text(".config/fanfare/devices.json")
      #expect(kept == text)
    }
  }

  static let faults: [(name: String, words: [String], env: String?, says: String)] = [
    ("beef", ["0a"], nil, "'beef' cannot be the name"), ("new", ["nonsense!"], nil, "device token"),
    ("new", ["phnoe"], nil, "Did you mean 'phone'"), ("qa", ["all", "qa"], nil, "contains itself"),
    ("phone", ["qa"], nil, "contains itself"), ("new", ["phone"], "sandbox", "--env"),
    ("new", ["phone", "0a1b"], nil, "is not the name of a device"),
    ("pair", ["\(one) \(other)"], nil, "has 128 digits with blanks between"),
  ]

  @Test("that cannot be added changes nothing", arguments: faults)
  func badAdding(_ row: (name: String, words: [String], env: String?, says: String)) throws {
    try withDevices { context, folder in
      let error = #expect(throws: Failure.self) {
        try add(row.name, row.words, env: row.env, context)
      }
      let told = error.map { "\($0.sentence) \($0.fix)" } ?? ""
      #expect(told.contains(row.says), "\(told)")
      let text = try folder.text(".config/fanfare/devices.json")
      #expect(text == Self.devices)
    }
  }

  @Test("is removed; one that is unknown, or in a file that people write, is not")
  func removing() throws {
    try withDevices { context, folder in
      var remove = DeviceRemove()
      remove.names = ["watch", "all"]
      _ = try remove.run(context)
      let names = try context.configuration.renewed.devices().effective.map(\.name)
      #expect(names == ["phone", "tablet", "qa"])
      try folder.write(".config/fanfare/config.json", "{devices: {mine: {token: '0a'}}}")
      for (name, says) in [
        ("mine", "which 'fanfare device' does not change"),
        ("nobody", "There is no device 'nobody'."),
      ] {
        remove.names = [name]
        let renewed = context.with(context.configuration.renewed)
        expectFailure(says) { try remove.run(renewed) }
      }
    }
  }
}

extension Context {
  fileprivate func with(_ configuration: Configuration) -> Context {
    var context = self
    context.configuration = configuration
    return context
  }
}
