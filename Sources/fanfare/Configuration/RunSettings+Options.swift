internal import APNS
internal import CommandLineKit
internal import Credentials
internal import POSIX
internal import PushModel
internal import Recipients

extension RunSettings {
  /// The settings of a run that is about to begin.
  ///
  /// - Throws: `Failure.list` when a list is gone.
  init(
    _ options: SendingOptions, sources: [RecipientSource], suppressed: [RecipientSource],
    _ server: ServerChoice,
    _ credentials: CredentialChoice, isTemplate: Bool
  ) throws(Failure) {
    words = options.to.words + options.running.words + server.words
    words += credentials.words + options.telling.words
    folder = ProcessFacts.workingFolder
    recipients = try sources.map { (source) throws(Failure) in
      if case .tokens(let tokens, let name) = source { return .tokens(tokens, name: name) }
      return .list(try List(source))
    }
    self.suppressed = try suppressed.map { (source) throws(Failure) in try List(source) }
    self.isTemplate = isTemplate
  }

  /// The words for a command that is given in this folder.
  var wordsFromHere: [String] {
    let files = [
      "--ca", "--key", "--key-password-file", "--cert", "--cert-key", "--cert-password-file",
    ]
    return words.indices.map { index in
      index > 0 && files.contains(words[index - 1]) ? fromHere(words[index]) : words[index]
    }
  }

  /// A path as it was given, for a command that is given in this folder.
  func fromHere(_ path: String) -> String {
    let isSame = path == "-" || path.hasPrefix("/")
    let here = ProcessFacts.workingFolder
    return isSame || folder == here ? path : "\(folder)/\(path)"
  }

  /// Compares a list with what it was.
  ///
  /// - Throws: `Failure.listChanged`, or `list` when it cannot be read.
  static func compare(_ path: String, with known: ListFingerprint) throws(Failure) {
    guard let found = try fingerprint(path) else { throw .listChanged(path: path) }
    switch found.change(since: known) {
    case .content: throw .listChanged(path: path)
    case .time: throw .listChanged(path: path, time: known.modified)
    case nil: return
    }
  }

  static func fingerprint(_ path: String) throws(Failure) -> ListFingerprint? {
    do throws(ListError) {
      return try ListFingerprint(path: path)
    } catch {
      throw .list(error)
    }
  }
}

extension CredentialChoice {
  /// The options that name it again, or the profile that does; nothing when it came from a
  /// variable.
  fileprivate var words: [String] {
    guard fileExists(name) else { return profile.map { ["--profile", $0] } ?? [] }
    // Of a secret only the place is kept.
    switch self {
    case .key(let key):
      let password = key.passwordFile.map { ["--key-password-file", $0] } ?? []
      return ["--key", name, "--key-id", key.keyID.text, "--team-id", key.teamID.text] + password
    case .certificate(let choice):
      let key = choice.keyFile.map { ["--cert-key", $0] } ?? []
      return ["--cert", name] + key
        + (choice.passwordFile.map { ["--cert-password-file", $0] } ?? [])
    }
  }
}

extension RunSettings.List {
  /// A list as it is now.
  fileprivate init(_ source: RecipientSource) throws(Failure) {
    path = source.name
    fingerprint = source.isReadOnce ? nil : try RunSettings.fingerprint(path)
  }
}

extension RecipientOptions {
  fileprivate var words: [String] {
    var words = ["--tokens-format", format.rawValue, "--duplicates", duplicates.rawValue]
    if let limit { words += ["--limit", limit.argumentText] }
    if let shard { words += ["--shard", shard.argumentText] }
    return words
  }
}

extension RunningOptions {
  fileprivate var words: [String] {
    var words = [
      "--timeout", timeout.argumentText, "--retries", retries.argumentText, "--retry-delay",
      retryDelay.argumentText,
    ]
    if let connections { words += ["--connections", connections.argumentText] }
    if let rate { words += ["--rate", rate.argumentText] }
    if atMostOnce { words.append("--at-most-once") }
    if !breaker { words.append("--no-breaker") }
    return words
  }
}

extension TellingOptions {
  /// What is the run's own; the rest is said by who asks.
  fileprivate var words: [String] { keepPayloads ? ["--keep-payloads"] : [] }
}

extension ServerChoice {
  fileprivate var words: [String] {
    let place =
      switch environment {
      case .server(let address): ["--server", address.description]
      case .production, .sandbox, .emulator: ["--env", environment.name]
      }
    // The emulator in the process brings its own.
    return environment == .emulator ? place : place + (roots.map { ["--ca", $0] } ?? [])
  }
}
