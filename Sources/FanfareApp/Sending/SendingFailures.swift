internal import APNS
internal import Delivery
internal import POSIX
internal import PlainText
internal import PushEmulator
internal import PushInbox
internal import PushModel

// What keeps a run from beginning.
extension Failure {
  static var noEnvironment: Failure {
    Failure(
      "No environment given, and there is no default.",
      fix: "Give --env sandbox, production, auto, emulator or inbox, or --server URL.")
  }

  static var nothingToSend: Failure {
    Failure(
      "There is nothing to send.",
      fix:
        "Give --title and --body, --payload FILE, or --example NAME; 'fanfare example' lists them.")
  }

  static var noRecipients: Failure {
    Failure(
      "No recipients given.", fix: "Give --to TOKEN, --tokens FILE, or both; or --channel ID.")
  }

  /// `--env auto` is for device tokens.
  static var broadcastToAuto: Failure {
    Failure(
      "--env auto does not work with a channel: a channel ID does not tell its environment.",
      fix: "Give the environment in which the channel was created: --env sandbox or "
        + "--env production.")
  }

  /// An option is for one recipient, and there may be several.
  static func severalRecipients(option: String) -> Failure {
    Failure(
      "\(option) works with a single recipient only.",
      fix: option == "--apns-id"
        ? "Give one --to TOKEN, or omit \(option): each push then gets an ID of its own."
        : "Give one --to TOKEN, or choose the environment: --env sandbox or --env production.")
  }

  static func list(_ error: ListError) -> Failure {
    let failure = Failure(
      "\(error.list.printable): \(error.sentence)", fix: error.fix, cause: error, rule: "list")
    return error.others.isEmpty ? failure : .several([failure] + error.others.map(Failure.list))
  }

  /// The inbox did not start.
  static func inbox(_ error: Inbox.Failure) -> Failure {
    let (what, fix): Sentences =
      switch error {
      case .badAddress(let address): EmulatorError.badAddress(address)
      case .port(let port, let call, let code):
        (
          "The inbox cannot listen on port \(port): \(call): \(systemMessage(code)).",
          "Choose another port with --inbox, or 0 for any."
        )
      case .outOfDescriptors: noDescriptors
      case .outOfThreads: noThreads
      }
    return Failure(what, fix: fix, .connection, cause: error)
  }

  static var outOfDescriptors: Failure {
    Failure(noDescriptors.what, fix: noDescriptors.fix, .connection)
  }

  static var outOfThreads: Failure { Failure(noThreads.what, fix: noThreads.fix, .connection) }

  /// The emulator did not start.
  static func emulator(_ error: EmulatorError) -> Failure {
    let (what, fix) = error.sentences
    var exitCode = ExitCode.connection
    if case .address = error { exitCode = .usage }
    return Failure(what, fix: fix, exitCode, cause: error)
  }
}

private typealias Sentences = (what: String, fix: String)

private let noDescriptors: Sentences = (
  "The process has no file descriptors left.", "Raise the limit with 'ulimit -n'."
)
private let noThreads: Sentences = (
  "The system has no threads left.", "Raise the limit with 'ulimit -u'."
)

extension ListError {
  /// What is wrong with the list.
  var sentence: String {
    switch fault {
    case .missing: "The list does not exist."
    case .isFolder: "This is a folder, not a list."
    case .unreadable(let code): "The list cannot be read: \(systemMessage(code))."
    case .empty: "The list has no row with a device token."
    case .header(let fault): "The header row cannot be read: \(fault.clause)."
    case .noTokenColumn(let names):
      "No column is called token or device_token; the columns are "
        + names.map { "'\($0.printable)'" }.joined(separator: ", ") + "."
    case .duplicateColumn(let name): "Two columns are called '\(name.printable)'."
    case .missingColumns(let missing): missing.sentence
    }
  }

  /// What to do about it.
  var fix: String {
    switch fault {
    case .missing:
      "Check the path; it is relative to the current folder, and in a scenario to its file."
    case .isFolder: "Name a file: .txt, .csv or .jsonl."
    case .unreadable: "Check the file's owner and permissions."
    case .empty: "Put one device token on each line."
    case .header, .noTokenColumn:
      "Begin the list with a row of column names, such as token,name, separated by commas, "
        + "semicolons or tabs."
    case .duplicateColumn: "Give each column a different name."
    case .missingColumns(let missing): missing.fix
    }
  }
}

extension MissingColumns {
  fileprivate var sentence: String {
    let missing = variables.isEmpty ? listed : variables
    let nouns = missing.count == 1 ? "column" : "columns"
    let wanting = variables.isEmpty ? "which --columns names" : "which the payload needs"
    return "The list has no \(nouns) \(Self.shown(missing)), \(wanting)."
  }

  fileprivate var fix: String {
    let names = variables.isEmpty ? listed : variables
    let near = names.prefix(Self.limit).flatMap { name in
      Suggestion.near(name, among: found).prefix(1)
        + found.filter { $0 != name && $0.lowercased() == name.lowercased() }.prefix(1)
    }
    var unique: [String] = []
    unique.add(near)
    let question = unique.isEmpty ? "" : "Did you mean \(Self.shown(unique))? "
    return question + columns + (variables.isEmpty ? "" : way)
  }

  private var columns: String {
    found.isEmpty
      ? "It holds device tokens only: columns need a .csv or .jsonl list, or --tokens-format."
      : "Its columns: \(Self.shown(found))."
  }

  private var way: String {
    let name = variables.first?.printable ?? ""
    return " For a value for every row, give --var \(name)=TEXT or write {{\(name)|default('…')}}."
  }

  private static let limit = 20

  private static func shown(_ names: [String]) -> String {
    names.prefix(limit).map { "'\($0.printable)'" }.joined(separator: ", ")
      + (names.count > limit ? ", …" : "")
  }
}

extension EmulatorError {
  fileprivate var sentences: Sentences {
    switch self {
    case .port(let port, let call, let code):
      (
        "The emulator cannot listen on port \(port): \(call): \(systemMessage(code)).",
        code == EADDRNOTAVAIL
          ? "Name an address of this machine." : "Choose another port, or 0 for any."
      )
    case .address(let address): Self.badAddress(address)
    case .journal(let code):
      ("The journal cannot be opened: \(systemMessage(code)).", "Name a file that can be written.")
    case .certificates(let call, let detail):
      (
        "The emulator's certificates could not be made: \(call): \(detail.printable).",
        "Check the OpenSSL library with 'openssl version'."
      )
    case .outOfDescriptors: noDescriptors
    case .outOfThreads: noThreads
    }
  }
}

extension EmulatorError {
  fileprivate static func badAddress(_ address: String) -> Sentences {
    (
      "'\(address.printable)' is not an IP address.",
      "Write one, such as 0.0.0.0 for every address of this machine."
    )
  }
}

extension StopCause {
  /// Why the run ended early, and what to do; nil when the user asked for it.
  var failure: Failure? { sentences.map { Failure($0.what, fix: $0.fix) } }

  private var sentences: Sentences? {
    switch self {
    case .interrupted: nil
    case .connecting(let error): (error.sentence, error.fix)
    case .connectionLost(let text):
      (
        "Connection after connection was lost before an answer came (\(text.printable)).",
        "Try again later; if it persists, look for a proxy or firewall on the way."
      )
    case .goodbye(let reason): refusal(reason, "The server closed the connection")
    case .breaker(let response):
      response.reason.map {
        refusal($0, "The run was stopped: push after push", response.clocks)
      }
        ?? (
          "The run was stopped: push after push was refused, the last with HTTP "
            + "\(response.status) and no reason.", "Check the server's address."
        )
    case .stopped(nil):
      ("The run was stopped with 'fanfare stop'.", "Continue it with 'fanfare work RUN'.")
    case .stopped(let cause?):
      (
        "The run was stopped for all workers: \(cause.printable).",
        "Remove the cause, then continue with 'fanfare work RUN'."
      )
    case .signing(let error): (error.sentence, error.fix)
    case .outOfDescriptors: noDescriptors
    case .outOfThreads: noThreads
    case .history(let error): (error.sentence, error.fix)
    case .list(let error): ("\(error.list.printable): \(error.sentence)", error.fix)
    }
  }

  private func refusal(
    _ reason: Reason, _ start: String, _ clocks: Clocks? = nil
  ) -> Sentences {
    let meaning = [reason.info?.meaning, clocks?.sentence].compactMap { $0.map { " " + $0 } }
      .joined()
    return (
      "\(start) met \(reason.rawValue).\(meaning)",
      reason.info?.advice ?? "See the server's log."
    )
  }
}
