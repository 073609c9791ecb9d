internal import APNS
internal import POSIX
internal import PlainText
internal import PushCore
internal import PushEmulator

/// Sentences for what went wrong: what, where, and what to do.
struct FailureText {
  let hasColor: Bool
  /// Whether the command sends, and can do so without a history.
  var canDoWithoutHistory = false

  /// The whole message, with a line feed at the end.
  func text(of failure: Failure) -> String {
    if case .problems(let problems) = failure {
      return ReportText(style: Style(hasColor: hasColor)).text(of: problems)
    }
    if case .scenarios(let failures) = failure { return failures.map(text(in:)).joined() }
    if case .unfitCertificate(let name, let problems) = failure {
      return problems.map { line($0.sentences(name)) }.joined()
    }
    if canDoWithoutHistory, case .history(let error) = failure {
      return line((error.sentence, error.fixWhenSending))
    }
    return line(Self.sentences(failure))
  }

  /// A failure that does not say itself in which scenario it is.
  private func text(in row: (file: String, failure: Failure)) -> String {
    let (what, fix) = Self.sentences(row.failure)
    if what.isEmpty { return text(of: row.failure) }
    return line(("\(row.file.printable): \(what)", fix))
  }

  /// What is wrong and what to do, a line each, without colours.
  static func lines(of failure: Failure) -> [String] {
    let (what, fix) = sentences(failure)
    if !what.isEmpty { return [what, fix] }
    return FailureText(hasColor: false).text(of: failure).split(separator: "\n").map { line in
      String(line.drop { $0 == " " })
    }
  }

  private func line(_ sentences: (what: String, fix: String)) -> String {
    let error = Style(hasColor: hasColor).bad("error:")
    return "fanfare: \(error) \(sentences.what)\n  \(sentences.fix)\n"
  }

  /// A warning in the same form.
  func text(of warning: CredentialWarning) -> String {
    let (what, fix) = warning.sentences
    return "fanfare: \(Style(hasColor: hasColor).doubtful("warning:")) \(what)\n  \(fix)\n"
  }

  /// What is wrong, and what to do about it; empty for what is not told in sentences.
  static func sentences(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .usage, .problems: ("", "")
    case .noEnvironment:
      (
        "No environment is named, and there is no default.",
        "Give --env sandbox, production, auto or emulator, or --server URL."
      )
    case .noKey, .certificateSignsNothing, .certificate, .identity, .unfitCertificate, .keyLog,
      .key, .secretFile, .secretVariable:
      credentials(failure)
    case .secretCommand(let program, let purpose, let fault):
      fault.sentences(program, purpose)
    case .ownConfiguration(let path, let error):
      (error.sentence(path, "configuration"), error.fix(path, "configuration"))
    case .profile(let error, let origin, let files): error.sentences(origin, files)
    case .noAnswer:
      ("There was no answer; nothing was written.", "Give options, or --yes for an example.")
    case .filesAreThere(let paths):
      (
        "\(paths.map(\.printable).joined(separator: ", ")): there already; nothing was written.",
        "Name another folder, or move what is there out of the way."
      )
    case .missingIdentifier(let name, let option, let elsewhere):
      missing(name, option, elsewhere)
    case .badIdentifier(let name, let setting, let error):
      ("\(setting.printable): this is no \(name): \(error.clause).", error.fix(for: name))
    case .badSetting(let name, let text, let expected): badSetting(name, text, expected)
    case .passwordInArgument(let option, let variable):
      (
        "The URL given with \(option) holds a password, and arguments can be seen by others.",
        "Put the URL into the variable \(variable) instead."
      )
    case .file(let failure), .keyFile(let failure), .lostOutput(let failure, _):
      (failure.sentence, failure.fix)
    case .swappedIdentifiers, .sameIdentifier: identifiers(failure)
    case .list, .severalRecipients, .noRecipients, .overwrites, .damagedRun, .nothingWrittenDown,
      .listChanged, .listLost, .history, .needsConsent, .declined, .noSuchPush,
      .pushWithoutResult, .rowsGone, .expired, .beingResent, .sentSince:
      run(failure)
    case .providerToken, .unrecognized: inspection(failure)
    case .emulator(let error): error.sentences
    case .missingProgram, .simulatorRefused: simulator(failure)
    case .noScenarios, .noSuchScenario, .scriptForScenario, .listForScenario, .noSuchStep:
      scenarios(failure)
    case .scenarios: ("", "")
    case .unknownTopic(let word, let near):
      (
        "Nothing is called '\(word.printable)' here.",
        near.isEmpty
          ? "'fanfare explain' lists everything that can be explained."
          : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
      )
    }
  }

  private static func credentials(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .noKey:
      (
        "No signing key is named.",
        "Give --key AuthKey_….p8 and --team-id, or --cert FILE.p12, or set FANFARE_KEY and its "
          + "companions."
      )
    case .certificateSignsNothing(let origin):
      (
        "\(origin.printable) names a client certificate, which signs no provider tokens.",
        "Give --key AuthKey_….p8 and --team-id."
      )
    case .certificate(let name, let keyName, let error): error.sentences(name, keyName: keyName)
    case .identity(let name, let error): error.sentences(name)
    case .unfitCertificate(let name, let problems):
      problems.first?.sentences(name) ?? ("", "")
    case .keyLog(let path):
      (
        "SSLKEYLOGFILE is set: the keys of all connections would be written to \(path.printable).",
        "Unset it; or give --tls-key-log if provider tokens may be read out of recorded traffic."
      )
    case .key(let name, let error): ("\(name.printable): \(error.sentence)", error.fix)
    case .secretFile(let path, let purpose, let error):
      (error.sentence(path, purpose), error.fix(path, purpose))
    case .secretVariable(let name, let path, let purpose, let error):
      (
        "\(name.printable): \(error.sentence(path, purpose))",
        error.fix(path, purpose, variable: name.printable)
      )
    default: ("", "")
    }
  }

  private static func inspection(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .providerToken(let name, let fault): ("\(name.printable): \(fault.sentence)", fault.fix)
    case .unrecognized(let file, let content):
      ("\(file.printable): \(content.sentence)", content.fix)
    default: ("", "")
    }
  }

  private static func simulator(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .simulatorRefused(let device, let bundleID, let status):
      (
        "simctl push to '\(device.printable)' failed with status \(status).",
        "Check that the simulator runs and that \(bundleID.printable) is installed on it."
      )
    case .missingProgram(let name):
      (
        "There is no '\(name.printable)' in PATH.",
        "It comes with Xcode, on a Mac. Elsewhere write the file with --output and push it there."
      )
    default: ("", "")
    }
  }

  private static func missing(
    _ name: String, _ option: String, _ elsewhere: String?
  ) -> (what: String, fix: String) {
    let what = "The \(name) is missing."
    if name == "key" || name == "certificate" {
      return (what, "\(elsewhere ?? "An id") goes with a \(name): give \(option) too.")
    }
    guard let elsewhere else { return (what, "Give \(option): ten capital letters and digits.") }
    return (
      what,
      "Give \(option). \(elsewhere) is set, but credentials are taken whole from one place."
    )
  }

  private static func identifiers(_ failure: Failure) -> (what: String, fix: String) {
    switch failure {
    case .swappedIdentifiers(let keyID, let teamID, let fileName):
      (
        "Key id and team id are swapped: the file's name says that the key id is "
          + "\(fileName.text).",
        "Give \(fileName.text) as \(keyID.printable), and the other as \(teamID.printable)."
      )
    case .sameIdentifier(let id):
      (
        "Key id and team id are both \(id).",
        "The key id stands in the name AuthKey_KEYID.p8, the team id under Membership in the "
          + "developer portal."
      )
    default: ("", "")
    }
  }

  private static func badSetting(
    _ name: String, _ text: String, _ expected: String
  ) -> (what: String, fix: String) {
    let what = text.isEmpty ? "is not set" : "'\(text.prefix(60).printable)' cannot be used"
    return ("\(name.printable) \(what).", "Give \(expected).")
  }
}

extension FileFailure {
  var sentence: String {
    let verb = action == .read ? "read" : "written"
    return switch fault {
    case .missing: "\(subject) does not exist."
    case .isFolder: "\(subject) is a folder."
    case .tooLarge(let limit):
      "\(subject) is longer than the \(grouped(limit)) bytes of a \(purpose)."
    case .system(let code): "\(subject) cannot be \(verb): \(systemMessage(code))."
    }
  }

  private var subject: String {
    if path == "-" { return action == .read ? "Standard input" : "Standard output" }
    return "The \(purpose) file \(path.printable)"
  }

  var fix: String {
    switch fault {
    case .missing:
      "Check the path; it is relative to the folder you are in, in a scenario to its file."
    case .isFolder: "Name a file."
    case .tooLarge: "Name the \(purpose) itself."
    case .system(ENOSPC), .system(EDQUOT): "Make room, or write elsewhere."
    case .system(ENOENT) where action == .write: "Make its folder first, or name another."
    case .system: "Check the file's owner and permissions."
    }
  }
}

extension IdentifierError {
  /// What is wrong with the id, as a clause.
  var clause: String {
    switch self {
    case .wrongLength(let count): "it has \(counted(count, "character")) instead of ten"
    case .badCharacter(let scalar): "'\(scalar.printable)' is no capital letter or digit"
    }
  }

  fileprivate func fix(for name: String) -> String {
    name == "key id"
      ? "The key id stands in the key's file name, AuthKey_KEYID.p8, and in the developer portal."
      : "The team id stands under Membership in the developer portal."
  }
}

extension ListError {
  var sentence: String {
    switch fault {
    case .missing: "The list does not exist."
    case .isFolder: "This is a folder, not a list."
    case .unreadable(let code): "The list cannot be read: \(systemMessage(code))."
    case .empty: "There is no row with a device token in the list."
    case .header(let fault): "The header row cannot be read: \(fault.clause)."
    case .noTokenColumn(let names):
      "No column is called token or device_token; there is \(Self.listed(names))."
    case .duplicateColumn(let name): "Two columns are called '\(name.printable)'."
    }
  }

  var fix: String {
    switch fault {
    case .missing:
      "Check the path; it is relative to the folder you are in, in a scenario to its file."
    case .isFolder: "Name a file: .txt, .csv or .jsonl."
    case .unreadable: "Check the file's owner and permissions."
    case .empty: "Put a device token on each line."
    case .header, .noTokenColumn:
      "Begin the list with a row of column names, such as token,name; a comma, a semicolon or a "
        + "tab stands between them."
    case .duplicateColumn: "Give each column a name of its own."
    }
  }

  private static func listed(_ names: [String]) -> String {
    names.map { "'\($0.printable)'" }.joined(separator: ", ")
  }
}

extension EmulatorError {
  fileprivate var sentences: (what: String, fix: String) {
    switch self {
    case .port(let port, let call, let code):
      (
        "The emulator cannot listen on port \(port): \(call): \(systemMessage(code)).",
        "Choose another port, or 0 for any."
      )
    case .journal(let code):
      ("The journal cannot be opened: \(systemMessage(code)).", "Name a file that can be written.")
    case .certificates(let call, let detail):
      (
        "The emulator's certificates could not be made: \(call): \(detail.printable).",
        "Check the OpenSSL library with 'openssl version'."
      )
    case .outOfDescriptors:
      ("The process has no file descriptors left.", "Raise the limit with 'ulimit -n'.")
    case .outOfThreads:
      ("The system has no threads left.", "Raise the limit with 'ulimit -u'.")
    }
  }
}

/// The system's words for an `errno`.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
