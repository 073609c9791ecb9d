internal import Credentials
internal import Projects

// Who is sending, without a look at any secret.
extension SettingsInForce {
  func credentials() throws(Failure) -> [ShownSetting] {
    let layer = try CredentialLayer.chosen(options.credentials, scenario, context)
    guard let layer else { return [ShownSetting(name: "key")] }
    return layer.parts.map { part in
      ShownSetting(name: part.name, value: shown(part.value), origin: part.origin)
    } + passwords(layer)
  }

  private func shown(_ value: CredentialPart.Value) -> String {
    switch value {
    case .text(let text): text
    case .place(.file(let path)): shownPath(path)
    case .place(.variable(let name)): shown(variable: name)
    case .place(.command): "printed by a command, which is not run here"
    }
  }

  /// The path in a variable, or that there is something in it.
  private func shown(variable name: String) -> String {
    guard let text = context.environment[name], !text.isEmpty else { return "\(name) is not set" }
    guard case .path(let path) = KeyText(text), fileExists(path) else { return "\(name) is set" }
    return shownPath(path)
  }

  /// Passwords that are said apart from what they open.
  private func passwords(_ layer: CredentialLayer) -> [ShownSetting] {
    let (file, option, variable): (String?, String, EnvironmentVariable) =
      switch layer {
      case .key:
        (options.credentials.keyPasswordFile, "--key-password-file", .keyPassword)
      case .certificate:
        (
          options.credentials.certificatePasswordFile, "--cert-password-file",
          .certificatePassword
        )
      }
    if let file {
      return [ShownSetting(name: "passwordFile", value: shownPath(file), origin: option)]
    }
    let isSaid = layer.parts.contains { $0.name == "passwordFile" }
    guard !isSaid, context.value(variable) != nil else { return [] }
    return [ShownSetting(name: "password", value: "set", origin: variable.rawValue)]
  }
}
