package import APNS
internal import HTTP2
internal import POSIX
internal import PlainText
package import PushEmulator
internal import PushModel
internal import Recipients
package import Reporting

/// Reads a scenario and its payloads.
///
/// - Throws: `Failure.problems` with all problems of the file.
package func readScenario(_ file: String, _ context: Context) throws(Failure) -> Scenario {
  let (scenario, problems) = try readScenarioInPart(file, context)
  if !problems.isEmpty { throw .problems(problems.hidingContents(outsideProjectOf: file)) }
  return scenario
}

/// Reads as much of a scenario as can be read, with all problems of the file.
///
/// - Throws: `Failure` when it cannot be read, or is not a scenario at all.
package func readScenarioInPart(
  _ file: String, _ context: Context
) throws(Failure) -> (scenario: Scenario, problems: [Problem]) {
  if FileKind(path: file) == .list { throw .listForScenario(file) }
  let text = try readText(file, for: "scenario")
  let outline = ScenarioOutline(text, file: file)
  if outline.isScript { throw .scriptForScenario(file) }
  if outline.isPayload { throw .payloadForScenario(file) }
  var filesRead = [file]
  let reader = ScenarioReader(file: file, home: context.environment["HOME"]) { path in
    filesRead.append(path)
    return try? readFile(path, for: "payload")
  }
  var read = reader.readInPart(text)
  read.scenario.filesRead = filesRead
  return read
}

extension FileKind {
  /// The kind after a look at the contents: a `.json` file, usually a payload, may be a scenario.
  package func lookingInto(_ path: String) -> FileKind {
    guard self == .payload, fileKind(of: path) == S_IFREG,
      let text = try? readFile(path, for: "payload"),
      ScenarioOutline(text, file: path).isScenario
    else { return self }
    return .scenario
  }
}

extension Context {
  /// Refuses a second use of standard input, and tells a person when it waits for what they type.
  ///
  /// - Parameter uses: the options and arguments that read it.
  package func readInput(for uses: [String]) throws(Failure) {
    guard let first = uses.first else { return }
    if uses.count > 1 { throw .conflict(first, uses[1]) }
    if isatty(STDIN_FILENO) == 1 {
      teller.hint("'\(first)' reads what you type or paste here; press Ctrl-D at its end.")
    }
  }
}

extension Settings {
  /// The settings with a payload from an argument.
  package func withPayload(_ path: String) throws(Failure) -> Settings {
    try refusePayload(beside: path)
    var settings = self
    settings.payload = Setting(path, .setting("--payload"))
    return settings
  }

  /// Requires a payload.
  package func refuseNothing() throws(Failure) {
    if !namePayload, !makePayload { throw .nothingToSend }
  }

  /// Rejects payload options beside an argument that already names something to send.
  package func refusePayload(beside argument: String) throws(Failure) {
    if namePayload { throw .conflict(example == nil ? "--payload" : "--example", argument) }
  }
}

/// Reads a script for the emulator.
///
/// - Throws: `Failure.file` when it cannot be read, `Failure.problems` with all its problems.
package func readScript(_ file: String) throws(Failure) -> FaultScript {
  let text = try readText(file, for: "script")
  return try passing { () throws(BrokenRules) in try FaultScript(text, file: file) }
}

extension BundleID {
  /// - Parameter setting: the setting that supplies the text.
  package init(_ text: String, from setting: String) throws(Failure) {
    guard let id = try? Self(text) else {
      throw .badSetting(
        name: setting, text: text, expected: "a bundle ID, such as com.example.app")
    }
    self = id
  }
}

extension EnvironmentSetting {
  /// Common other names for environments, with the names meant.
  package static var otherNames: [(word: String, meant: [String])] {
    let meanings: [(PushEnvironment, [String])] = [
      (.production, ["prod", "prd", "live", "release", "distribution", "adhoc", "testflight"]),
      (.sandbox, ["dev", "develop", "development", "debug", "test", "sand", "sbx"]),
      (.emulator, ["local", "localhost", "mock", "fake", "simulator"]),
    ]
    return meanings.flatMap { environment, words in words.map { ($0, [environment.name]) } }
  }

  /// The name meant by another; nil when there is none.
  package static func name(meantBy word: String) -> String? {
    otherNames.first { $0.word == word.lowercased() }?.meant.first
  }

  /// - Parameter setting: the setting that supplies the name.
  package init(_ name: String, from setting: String) throws(Failure) {
    guard let environment = Self(name: name) else {
      let expected = Self.name(meantBy: name) ?? Self.names.joined(separator: ", ")
      throw .badSetting(name: setting, text: name, expected: expected)
    }
    self = environment
  }
}

extension PushType {
  /// The push type that gives a file's folder its name, as in `payloads/voip/call.json`; nil for
  /// any other folder.
  package init?(namedByFolderOf path: String) {
    guard path != "-" else { return nil }
    let folders = path.split(separator: "/").dropLast()
    let isBare = folders.last ?? "." == "."
    let folder = isBare ? ProcessFacts.workingFolder.split(separator: "/").last : folders.last
    self.init(rawValue: folder.map(String.init) ?? "")
    if info == nil { return nil }
  }
}

// Files mistaken for scenarios.
extension Failure {
  static func listForScenario(_ file: String) -> Failure {
    Failure(
      "\(file.printable) is a list of device tokens, not a scenario.",
      fix: "Give it to --tokens, or name it among the recipients of a scenario.")
  }

  static func payloadForScenario(_ file: String) -> Failure {
    Failure(
      "\(file.printable) is a payload, not a scenario.",
      fix:
        "Give it to --payload, as in 'fanfare send --payload FILE'. A payload's name ends in .json."
    )
  }

  static func scriptForScenario(_ file: String) -> Failure {
    Failure(
      "\(file.printable) is a script for the emulator, not a scenario.",
      fix: "Name it with --script, or as environment: {emulator: {script: \"…\"}} of a scenario.",
      cause: MistakenFile.scriptForScenario)
  }
}

extension Failure {
  package static var nothingToSend: Failure {
    Failure(
      "There is nothing to send.",
      fix:
        "Give --title and --body, --payload FILE, or --example NAME; 'fanfare example' lists them.")
  }
}

extension [RecipientSource] {
  /// Rows may have variables: those of lists can, single tokens and channels cannot.
  package var haveVariables: Bool {
    contains { source in
      switch source {
      case .tokens, .channel: false
      case .file, .standardInput, .copy, .resent: true
      }
    }
  }

  /// There is exactly one device token, or one channel.
  package var isOnePush: Bool {
    if count > 1 { return false }
    return switch first {
    case .tokens(let tokens, _): tokens.count == 1
    case .channel: true
    case .resent(let list): list.lineage?.count == 1
    case .file, .standardInput, .copy, nil: false
    }
  }
}

extension ServerAddress {
  /// Reads `HOST` or `HOST:PORT`.
  ///
  /// - Parameter port: the default port; nil for 443.
  package init(_ given: Setting<String>, port: UInt16?) throws(Failure) {
    self = try attempt(try ServerAddress(url: "https://" + given.value, port: port ?? 443)) {
      (_: ServerAddressError) in
      .badSetting(
        name: given.origin.text, text: URLLogin.cut(from: given.value),
        expected: "HOST or HOST:PORT")
    }
  }
}
