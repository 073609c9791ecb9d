internal import Credentials
internal import POSIX
internal import PlainText

extension SecretFileError {
  package func sentence(_ path: String, _ purpose: String) -> String {
    if self == .missing, path.isEmpty { return "The name of the \(purpose) file is empty." }
    return "\(subject(path, purpose)) \(clause(purpose))."
  }

  /// - Parameter variable: the variable that holds the path, or text that was mistaken for one.
  package func fix(_ path: String, _ purpose: String, in variable: String? = nil) -> String {
    switch (self, variable?.printable) {
    case (.missing, let name?), (.system(ENAMETOOLONG), let name?):
      "\(name) takes a path, PEM text, or base64 of PEM or DER, whole and without quotes."
    default: fix(path, purpose)
    }
  }

  private func fix(_ path: String, _ purpose: String) -> String {
    switch self {
    case .missing where path.isEmpty: "Check that the variable that holds its path is set."
    case .missing:
      "Check the path; it is relative to the current folder, and in a scenario to its file."
    case .isFolder, .isDevice, .isSocket: "Name a file."
    case .isPipe: "Name a file, or '-' for standard input."
    case .empty where purpose.hasPrefix("certificate") && !purpose.hasSuffix("password"):
      "Export certificate and key together, and use that file."
    case .empty where purpose == "key":
      "Use the AuthKey_….p8 file from the Keys page of the developer portal."
    case .empty: "Write the \(purpose) into it."
    case .tooLarge: "Name the file of the \(purpose) itself."
    case .writableByOthers: "Make sure that it is yours, then: chmod 600 \(shellWord(path))"
    case .system: "Check the file's owner and permissions."
    }
  }

  private func subject(_ path: String, _ purpose: String) -> String {
    path == "-" ? "Standard input" : "The \(purpose) file \(shownPath(path))"
  }
}

/// A path, hidden if it may be a key or password, or part of one, given instead of a path.
package func shownPath(_ path: String) -> String {
  let isBase64 = path.allSatisfy {
    $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))
  }
  let mayBeSecret = path.utf8.count > 100 || (path.utf8.count >= 16 && isBase64)
  return mayBeSecret ? "(hidden, as it may be the key itself)" : path.printable
}
