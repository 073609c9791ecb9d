internal import POSIX
internal import PlainText

/// A file that cannot be read or written.
package struct FileFailure: Error {
  package enum Action { case read, write }

  package enum Fault {
    case missing
    case isFolder
    case tooLarge(limit: Int)
    case system(Int32)
  }

  package var path: String
  package var action: Action
  package var fault: Fault
  /// The role of the file, for example `payload`.
  package var purpose: String

  package init(path: String, action: Action, fault: Fault, purpose: String) {
    (self.path, self.action, self.fault, self.purpose) = (path, action, fault, purpose)
  }
}

extension FileFailure: Described {
  /// The purpose of a file of results, and of standard output where it takes them or the summary.
  package static let results = "results"
  package static let deadTokens = "dead tokens"

  package var sentence: String {
    let verb = action == .read ? "read" : "written"
    return switch fault {
    case .missing: "\(subject) does not exist."
    case .isFolder: "\(subject) is a folder."
    case .tooLarge(let limit):
      "\(subject) is too long for a \(purpose): the limit is \(grouped(limit)) bytes."
    case .system(let code) where path == "-" && purpose == Self.results:
      "The \(purpose) could not be written: \(reason(code))."
    case .system(let code): "\(subject) cannot be \(verb): \(reason(code))."
    }
  }

  /// The error if nobody reads the output: an `errno` with which no write fails.
  static let unread = ECANCELED

  private func reason(_ code: Int32) -> String {
    code == Self.unread ? "nobody is reading" : systemMessage(code)
  }

  private var subject: String {
    if path == "-" { return action == .read ? "Standard input" : "Standard output" }
    return "The \(purpose) file \(isToken ? "…" + path.suffix(8) : path.printable)"
  }

  /// True if the path is most likely a device token, which is never shown in full.
  private var isToken: Bool { path.count >= 32 && path.allSatisfy(\.isHexDigit) }

  package var fix: String {
    switch fault {
    case .missing where isToken:
      "This looks like a device token. 'fanfare send --to' takes one; 'fanfare inspect' tells about "
        + "it."
    case .missing:
      "Check the path; it is relative to the current folder, and in a scenario to its file."
    case .isFolder: "Name a file."
    case .tooLarge: "Name the file of the \(purpose) itself."
    case .system(Self.unread): "Read it to its end, or write to a file instead."
    case .system(EPIPE): "Whatever read it ended too early. Write to a file instead."
    case .system(ENOSPC), .system(EDQUOT): "Free some space, or write elsewhere."
    case .system(ENOENT) where action == .write: "Create its folder first, or name another."
    case .system: "Check the file's owner and permissions."
    }
  }
}

/// The system's words for an `errno`.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

/// The file is of another kind than expected.
package enum MistakenFile: Error {
  case scriptForScenario
}
