internal import PushCore

/// What holds a key, read but not parsed, and what was noticed on the way.
struct KeySecret {
  let contents: SecretBytes
  /// Where it came from: a path or a variable.
  let name: String
  var warnings: [CredentialWarning] = []

  /// Reads a key's file.
  init(file path: String) throws(Failure) {
    let file = try SecretFile(reading: path, for: "key")
    contents = file.bytes
    name = path
    warnings = file.warnings(path: path, purpose: "key")
  }

  /// Reads a key from a variable, or from the file that it names.
  init(variable name: String, _ context: Context) throws(Failure) {
    guard let value = context.environment[name], !value.isEmpty else {
      throw .badSetting(name: name, text: "", expected: "a key: its path, its PEM text, or base64")
    }
    switch KeyText(value) {
    case .path(let path): try self.init(file: path)
    case .contents(let contents): self.init(contents: contents, name: name)
    }
  }

  private init(contents: SecretBytes, name: String) {
    self.contents = contents
    self.name = name
  }
}

/// What opens a locked key.
struct KeyPassword {
  let bytes: SecretBytes
  private let setting: String
  private let isMeant: Bool
  private var warnings: [CredentialWarning] = []

  /// The option's, else the variable's; nil when there is neither. Neither names a key, so they go
  /// with the key of any layer.
  init?(
    _ options: CredentialOptions, isKeyInVariable: Bool, _ context: Context
  ) throws(Failure) {
    if let path = options.keyPasswordFile {
      let file = try SecretFile(reading: path, for: "key password")
      bytes = file.bytes.withoutLineEnd
      if bytes.count == 0 { throw .secretFile(path: path, purpose: "key password", .empty) }
      (setting, isMeant) = ("--key-password-file", true)
      warnings = file.warnings(path: path, purpose: "key password")
    } else if let value = context.value(.keyPassword) {
      bytes = SecretBytes(value)
      (setting, isMeant) = (EnvironmentVariable.keyPassword.rawValue, isKeyInVariable)
    } else {
      return nil
    }
  }

  /// What to say about it, given the key.
  func warnings(for key: KeySecret) -> [CredentialWarning] {
    let isIdle = isMeant && !SigningKey.isLocked(key.contents)
    return warnings + (isIdle ? [.idlePassword(setting: setting, key: key.name)] : [])
  }
}

extension SecretFile {
  /// Reads one that is named by an option or a variable.
  init(reading path: String, for purpose: String) throws(Failure) {
    do throws(SecretFileError) {
      self = try SecretFile.read(path)
    } catch {
      throw .secretFile(path: path, purpose: purpose, error)
    }
  }

  func warnings(path: String, purpose: String) -> [CredentialWarning] {
    exposure.map { [.exposedFile(path: path, purpose: purpose, mode: $0.mode)] } ?? []
  }
}
