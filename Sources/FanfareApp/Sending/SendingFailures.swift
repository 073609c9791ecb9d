internal import PlainText
internal import PushEmulator
internal import PushModel

// What keeps a run from beginning.
extension Failure {
  /// No environment was given anywhere.
  static var noEnvironment: Failure {
    Failure(
      "No environment given, and there is no default.",
      fix: "Give --env sandbox, production, auto or emulator, or --server URL.")
  }

  /// There are no recipients.
  static var noRecipients: Failure {
    Failure("No recipients given.", fix: "Give --to TOKEN, --tokens FILE, or both.")
  }

  /// An option is for one recipient, and there may be several.
  static func severalRecipients(option: String) -> Failure {
    Failure(
      "\(option) works with a single recipient only.",
      fix: option == "--apns-id"
        ? "Give one --to TOKEN, or omit \(option): each push then gets an ID of its own."
        : "Give one --to TOKEN, or choose the environment: --env sandbox or --env production.")
  }

  /// Production needs consent, and there is no terminal to ask on.
  static var needsConsent: Failure {
    Failure(
      "Production needs confirmation, and there is no terminal to ask on.", fix: "Give --yes.")
  }

  /// The answer about production was not yes.
  static var declined: Failure {
    Failure("Nothing was done.", fix: "Use --env sandbox or emulator to stay off production.")
  }

  /// A list of recipients cannot be used.
  static func list(_ error: ListError) -> Failure {
    Failure(
      "\(error.list.printable): \(error.sentence)", fix: error.fix, cause: error, rule: "list")
  }

  /// The emulator did not start.
  static func emulator(_ error: EmulatorError) -> Failure {
    let (what, fix) = error.sentences
    return Failure(what, fix: fix, .connection, cause: error)
  }
}

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
      "No column is called token or device_token; the columns are \(Self.listed(names))."
    case .duplicateColumn(let name): "Two columns are called '\(name.printable)'."
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
