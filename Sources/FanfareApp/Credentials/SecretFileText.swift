internal import Credentials
internal import POSIX
internal import PlainText

extension SecretFileError {
  /// What is wrong with a file with a secret in it.
  func sentence(_ path: String, _ purpose: String) -> String {
    let subject = subject(path, purpose)
    return switch self {
    case .missing where path.isEmpty: "The name of the \(purpose) file is empty."
    case .missing: "\(subject) does not exist."
    case .isFolder: "\(subject) is a folder."
    case .isPipe: "\(subject) is a named pipe, and fanfare does not wait for those."
    case .isDevice: "\(subject) is a device."
    case .isSocket: "\(subject) is a socket."
    case .empty: "\(subject) is empty."
    case .tooLarge(let limit):
      "\(subject) is too long for a \(purpose): the limit is \(grouped(limit)) bytes."
    case .writableByOthers(let mode):
      "\(subject) is writable by other users (mode \(octal(mode)))."
    case .system(let code): "\(subject) cannot be read: \(systemMessage(code))."
    }
  }

  /// The same for a path in a variable, or for text there that was taken for a path.
  func fix(_ path: String, _ purpose: String, variable: String) -> String {
    switch self {
    case .missing, .system(ENAMETOOLONG):
      "\(variable) takes a path, PEM text, or base64 of PEM or DER, whole and without quotes."
    default: fix(path, purpose)
    }
  }

  /// What to do about it.
  func fix(_ path: String, _ purpose: String) -> String {
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

extension CredentialWarning {
  /// The warning, and what to do about it.
  var sentences: (what: String, fix: String) {
    switch self {
    case .exposedFile(let path, let purpose, let mode):
      (
        "The \(purpose) file \(path.printable) is readable by other users (mode \(octal(mode))).",
        "chmod 600 \(shellWord(path))"
      )
    case .idlePassword(let setting, let key):
      (
        "\(key.printable): it is not encrypted; the password is not used.",
        "Omit \(setting)."
      )
    case .oldEncryption(let name, let algorithms):
      (
        "\(name.printable): it is encrypted with \(algorithms.joined(separator: " and ").printable), "
          + "which is no longer safe.",
        "Re-encrypt it: 'fanfare inspect' shows how."
      )
    case .unfit(let name, let problem): problem.sentences(name)
    case .keyLog(let path):
      (
        "The TLS keys of all connections are written to \(path.printable).",
        "They allow anyone to decrypt recorded traffic, provider tokens included: delete them after use."
      )
    case .otherKeyID(let keyID, let fileName, let setting):
      (
        "The key ID is \(keyID.text), but the file's name says \(fileName.text).",
        "Unless the file was renamed, omit \(setting.printable): the name holds the key ID."
      )
    }
  }
}

/// Permission bits as `chmod` takes them.
func octal(_ mode: UInt16) -> String {
  let digits = String(mode, radix: 8)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

/// A path, unless it may be a key or password, or a line of one, given in place of a path.
func shownPath(_ path: String) -> String {
  let mayBeSecret =
    path.utf8.count > 100 || (path.utf8.count >= 16 && path.utf8.allSatisfy(isBase64))
  return mayBeSecret ? "(hidden, as it may be the key itself)" : path.printable
}

private func isBase64(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "+/=".utf8.contains(byte)
  }
}
