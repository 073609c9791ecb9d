package import Credentials
internal import POSIX
internal import PlainText
package import Reporting
package import Settings

/// A key or certificate that was read but not parsed, with warnings.
package struct CredentialSecret {
  package let contents: SecretBytes
  /// The source: a path, a variable or a command.
  package let name: String
  package var warnings: [CredentialWarning] = []
}

extension CredentialSecret {
  /// - Parameters:
  ///   - place: the source; a variable may hold the path of a file.
  ///   - purpose: the expected contents, such as `key`.
  package init(_ place: SecretLocation, for purpose: String, _ context: Context) throws(Failure) {
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

/// The password of an encrypted key or certificate.
package struct CredentialPassword {
  package struct Kind {
    fileprivate let purpose: String
    fileprivate let option: String
    fileprivate let variable: EnvironmentVariable

    package static let key = Kind(
      purpose: "key password", option: "--key-password-file", variable: .keyPassword)
    package static let certificate = Kind(
      purpose: "certificate password", option: "--cert-password-file",
      variable: .certificatePassword)
  }

  package let bytes: SecretBytes
  /// The path of its file; nil when it is not in a file.
  let file: String?
  private let setting: String
  private let isMeant: Bool
  private var warnings: [CredentialWarning] = []

  /// The password from settings, or else from the variable; nil when there is none. Option and
  /// variable name no key, so they apply to the key of any layer.
  package init?(
    _ kind: Kind, _ named: Setting<SecretLocation>?, isVariableMeant: Bool, _ context: Context
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

  /// - Parameter isIdle: whether nothing needed the password.
  package func warnings(isIdle: Bool, for name: String) -> [CredentialWarning] {
    warnings + (isMeant && isIdle ? [.idlePassword(setting: setting, key: name)] : [])
  }
}

extension Context {
  /// The value of a variable that must be set.
  fileprivate func secret(in name: String, expected: String) throws(Failure) -> String {
    guard let value = environment[name], !value.isEmpty else {
      throw .badSetting(name: name, text: "", expected: expected)
    }
    return value
  }
}
