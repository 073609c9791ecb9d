internal import Credentials
internal import Projects

/// What holds a key or a certificate, read but not parsed, and what was noticed on the way.
struct CredentialSecret {
  let contents: SecretBytes
  /// Where it came from: a path or a variable.
  let name: String
  var warnings: [CredentialWarning] = []

  /// Reads a file or a variable; the variable may hold the path of a file.
  ///
  /// - Parameter purpose: what it should be, such as `key`.
  init(_ place: SecretPlace, for purpose: String, _ context: Context) throws(Failure) {
    switch place {
    case .file(let path): try self.init(file: path, for: purpose)
    case .variable(let name):
      let expected = "a \(purpose): its path, its PEM text, or base64"
      switch KeyText(try context.secret(in: name, expected: expected)) {
      case .path(let path): try self.init(file: path, in: name, for: purpose)
      case .contents(let contents): self.init(contents: contents, name: name)
      }
    case .command(let words):
      let contents = try SecretCommand(words, for: purpose).output(context)
      self.init(contents: contents, name: place.name)
    }
  }

  private init(file path: String, for purpose: String) throws(Failure) {
    let file = try SecretFile(reading: path, for: purpose)
    self.init(
      contents: file.bytes, name: path, warnings: file.warnings(path: path, purpose: purpose))
  }

  private init(file path: String, in variable: String, for purpose: String) throws(Failure) {
    do throws(Failure) {
      try self.init(file: path, for: purpose)
    } catch {
      guard let fault = error.cause as? SecretFileError else { throw error }
      throw .secretFile(path: path, purpose: purpose, in: variable, fault)
    }
  }

  private init(contents: SecretBytes, name: String, warnings: [CredentialWarning] = []) {
    (self.contents, self.name, self.warnings) = (contents, name, warnings)
  }
}

/// What opens a locked key or certificate.
struct CredentialPassword {
  /// What it is for.
  enum Kind {
    case key
    case certificate

    fileprivate var purpose: String { self == .key ? "key password" : "certificate password" }
    fileprivate var option: String {
      self == .key ? "--key-password-file" : "--cert-password-file"
    }
    fileprivate var variable: EnvironmentVariable {
      self == .key ? .keyPassword : .certificatePassword
    }
  }

  let bytes: SecretBytes
  /// The file it is in; nil when it is kept elsewhere.
  let file: String?
  private let setting: String
  private let isMeant: Bool
  private var warnings: [CredentialWarning] = []

  /// The one that settings name, else the variable's; nil when there is none. Option and variable
  /// name no key, so they go with the key of any layer.
  init?(
    _ kind: Kind, _ named: Setting<SecretPlace>?, isVariableMeant: Bool, _ context: Context
  ) throws(Failure) {
    if let named {
      let setting = named.origin.isOption ? kind.option : "passwordFile"
      self = try Self(kind, named.value, setting: setting, context)
    } else if let value = context.value(kind.variable) {
      bytes = SecretBytes(value)
      file = nil
      (setting, isMeant) = (kind.variable.rawValue, isVariableMeant)
    } else {
      return nil
    }
  }

  private init(
    _ kind: Kind, _ place: SecretPlace, setting: String, _ context: Context
  ) throws(Failure) {
    (self.setting, isMeant) = (setting, true)
    file = if case .file(let path) = place { path } else { nil }
    switch place {
    case .variable(let name):
      bytes = SecretBytes(try context.secret(in: name, expected: "the \(kind.purpose)"))
    case .command(let words):
      let output = try SecretCommand(words, for: kind.purpose).output(context)
      bytes = output.withoutLineEnd
    case .file(let path):
      let file = try SecretFile(reading: path, for: kind.purpose)
      bytes = file.bytes.withoutLineEnd
      if bytes.count == 0 { throw .secretFile(path: path, purpose: kind.purpose, .empty) }
      warnings = file.warnings(path: path, purpose: kind.purpose)
    }
  }

  /// What to say about it, given whether it opened anything.
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

extension SecretFile {
  fileprivate init(reading path: String, for purpose: String) throws(Failure) {
    do throws(SecretFileError) {
      self = try SecretFile.read(path)
    } catch {
      throw .secretFile(path: path, purpose: purpose, error)
    }
  }

  fileprivate func warnings(path: String, purpose: String) -> [CredentialWarning] {
    exposure.map { [.exposedFile(path: path, purpose: purpose, mode: $0.mode)] } ?? []
  }
}
