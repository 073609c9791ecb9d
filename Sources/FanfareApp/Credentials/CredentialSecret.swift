internal import Credentials
internal import POSIX
internal import PlainText
internal import Projects

/// A key or certificate, read but not parsed, and what was noticed on the way.
struct CredentialSecret {
  let contents: SecretBytes
  /// Where it came from: a path, a variable or a command.
  let name: String
  var warnings: [CredentialWarning] = []
}

extension CredentialSecret {
  /// - Parameters:
  ///   - place: a variable may hold the path of a file.
  ///   - purpose: what it should be, such as `key`.
  init(_ place: SecretPlace, for purpose: String, _ context: Context) throws(Failure) {
    switch place {
    case .file(let path): try self.init(file: path, for: purpose)
    case .variable(let variable):
      let expected = "a \(purpose): its path, its PEM text, or base64"
      switch context.keyText(try context.secret(in: variable, expected: expected)) {
      case .path(let path): try self.init(file: path, in: variable, for: purpose)
      case .contents(let contents): self.init(contents: contents, name: variable)
      }
    case .command(let words):
      let command = SecretCommand(words: words, purpose: purpose)
      self.init(contents: try command.output(context), name: place.name)
    }
  }

  private init(
    file path: String, in variable: String? = nil, for purpose: String
  ) throws(Failure) {
    let file = try attempt(try SecretFile.read(path)) {
      .secretFile(path: path, purpose: purpose, in: variable, $0)
    }
    self.init(contents: file.bytes, name: path)
    if let exposure = file.exposure {
      warnings = [.exposedFile(path: path, purpose: purpose, mode: exposure.mode)]
    }
  }
}

/// What opens an encrypted key or certificate.
struct CredentialPassword {
  struct Kind {
    fileprivate let purpose: String
    fileprivate let option: String
    fileprivate let variable: EnvironmentVariable

    static let key = Kind(
      purpose: "key password", option: "--key-password-file", variable: .keyPassword)
    static let certificate = Kind(
      purpose: "certificate password", option: "--cert-password-file",
      variable: .certificatePassword)
  }

  let bytes: SecretBytes
  /// Nil when it is not in a file.
  let file: String?
  private let setting: String
  private let isMeant: Bool
  private var warnings: [CredentialWarning] = []

  /// The one that settings name, else the variable's; nil when there is none. Option and variable
  /// name no key, so they go with the key of any layer.
  init?(
    _ kind: Kind, _ named: Setting<SecretPlace>?, isVariableMeant: Bool, _ context: Context
  ) throws(Failure) {
    let variable = kind.variable.rawValue
    if named == nil, context.value(kind.variable) == nil { return nil }
    let place = named?.value ?? .variable(variable)
    setting = named.map { $0.origin.isOption ? kind.option : "passwordFile" } ?? variable
    isMeant = named != nil || isVariableMeant
    file = if case .file(let path) = place { path } else { nil }
    if case .variable(let name) = place {
      bytes = SecretBytes(try context.secret(in: name, expected: "the \(kind.purpose)"))
      return
    }
    let secret = try CredentialSecret(place, for: kind.purpose, context)
    (bytes, warnings) = (secret.contents.withoutLineEnd, secret.warnings)
    if let file, bytes.count == 0 {
      throw .secretFile(path: file, purpose: kind.purpose, .empty)
    }
  }

  /// - Parameter isIdle: whether there was nothing to open.
  func warnings(isIdle: Bool, for name: String) -> [CredentialWarning] {
    warnings + (isMeant && isIdle ? [.idlePassword(setting: setting, key: name)] : [])
  }
}

extension Context {
  /// A variable that a scenario names, or that is known to be set.
  fileprivate func secret(in name: String, expected: String) throws(Failure) -> String {
    guard let value = environment[name], !value.isEmpty else {
      throw .badSetting(name: name, text: "", expected: expected)
    }
    return value
  }
}

extension SecretFileError {
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

  /// - Parameter variable: holds the path, or text that was taken for one.
  func fix(_ path: String, _ purpose: String, in variable: String? = nil) -> String {
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

/// A path, unless it may be a key or password, or a line of one, given in place of a path.
func shownPath(_ path: String) -> String {
  let isBase64 = path.allSatisfy {
    $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))
  }
  let mayBeSecret = path.utf8.count > 100 || (path.utf8.count >= 16 && isBase64)
  return mayBeSecret ? "(hidden, as it may be the key itself)" : path.printable
}
