internal import CommandLineKit
internal import Projects

/// One layer's word on who is sending, not looked at yet: a key or a certificate, never both.
enum CredentialLayer {
  case key(KeyLayer)
  case certificate(CertificateLayer)

  /// The highest layer that names a key or a certificate: options, then the scenario, then
  /// variables, then the profile. Nil when none does.
  static func chosen(
    _ options: CredentialOptions, _ scenario: Scenario?, _ context: Context
  ) throws(Failure) -> CredentialLayer? {
    let layer = try highest(options, scenario, context)
    try options.refuseIdlePassword(with: layer)
    return layer
  }

  private static func highest(
    _ options: CredentialOptions, _ scenario: Scenario?, _ context: Context
  ) throws(Failure) -> CredentialLayer? {
    if let layer = try CredentialLayer(options) { return layer.knowing(context) }
    if let scenario, let layer = try CredentialLayer(scenario, context) {
      return layer.knowing(context)
    }
    if let layer = try CredentialLayer(context) { return layer }
    return try CredentialLayer(profileOf: context)?.knowing(context)
  }

  init?(_ options: CredentialOptions) throws(Failure) {
    try options.refuseBothKinds()
    if let layer = CertificateLayer(options) {
      self = .certificate(layer)
    } else if let layer = try KeyLayer(options) {
      self = .key(layer)
    } else {
      return nil
    }
  }

  /// What a scenario says, or the profile whose credentials it takes.
  init?(_ scenario: Scenario, _ context: Context) throws(Failure) {
    guard let setting = scenario.credentials else { return nil }
    if case .profile(let name) = setting {
      if context.configuration.isDisregarded { return nil }
      let origin = "\(scenario.file): credentials.profile"
      let found = try context.asking(from: origin) { (profiles) throws(ProfileError) in
        try profiles.credentials(of: name)
      }
      self.init(found.setting, in: CredentialSource(found.profile))
    } else {
      self.init(
        setting,
        in: CredentialSource(file: scenario.file, path: "credentials", origin: scenario.file))
    }
  }

  /// What a scenario or the profile says, for whoever reads no variables.
  init?(writtenFor scenario: Scenario?, _ context: Context) throws(Failure) {
    if let scenario, let layer = try CredentialLayer(scenario, context) {
      self = layer
    } else {
      try self.init(profileOf: context)
    }
  }

  /// What the profile says that counts, or the one whose credentials it takes.
  private init?(profileOf context: Context) throws(Failure) {
    guard let profile = try context.profile() else { return nil }
    let origin = profile.origin(of: "credentials.profile").text
    let found = try context.asking(from: origin) { (profiles) throws(ProfileError) in
      try profiles.credentials(of: profile)
    }
    guard let found else { return nil }
    self.init(found.setting, in: CredentialSource(found.profile))
  }

  init?(_ setting: CredentialsSetting, in source: CredentialSource) {
    switch setting {
    case .key(let credentials): self = .key(KeyLayer(credentials, in: source))
    case .certificate(let credentials):
      self = .certificate(CertificateLayer(credentials, in: source))
    case .profile: return nil
    }
  }

  private init?(_ context: Context) throws(Failure) {
    switch (KeyLayer(context), CertificateLayer(context)) {
    case (.some, .some):
      let names = [EnvironmentVariable.key, .certificate].map(\.rawValue)
      throw .usage(.conflict(names[0], names[1]))
    case (let layer?, nil): self = .key(layer)
    case (nil, let layer?): self = .certificate(layer)
    case (nil, nil): return nil
    }
  }

  /// What is wrong with it, as far as that can be told without reading any secret.
  var faults: [Failure] {
    if case .key(let layer) = self { layer.faults } else { [] }
  }

  /// What it says, part by part.
  var parts: [CredentialPart] {
    switch self {
    case .key(let layer): layer.parts
    case .certificate(let layer): layer.parts
    }
  }

  private func knowing(_ context: Context) -> CredentialLayer {
    guard case .key(var layer) = self else { return self }
    layer.hasIDsElsewhere = context.value(.teamID) != nil
    return .key(layer)
  }
}

extension CredentialOptions {
  /// What belongs to a key goes with no certificate, and the other way round.
  fileprivate func refuseBothKinds() throws(Failure) {
    let ofKey = [
      ("--key", key), ("--key-id", keyID), ("--team-id", teamID),
      ("--key-password-file", keyPasswordFile),
    ]
    let ofCertificate = [
      ("--cert", certificate), ("--cert-key", certificateKey),
      ("--cert-password-file", certificatePasswordFile),
    ]
    if let one = ofKey.first(where: { $0.1 != nil }),
      let other = ofCertificate.first(where: { $0.1 != nil })
    {
      throw .usage(.conflict(one.0, other.0))
    }
    if certificateKey != nil, certificate == nil {
      throw .missingIdentifier(name: "certificate", option: "--cert", elsewhere: "--cert-key")
    }
  }

  /// A password may be for the key or certificate of any layer, but not for none.
  fileprivate func refuseIdlePassword(with layer: CredentialLayer?) throws(Failure) {
    switch layer {
    case .certificate where keyPasswordFile != nil, nil where keyPasswordFile != nil:
      throw .missingIdentifier(name: "key", option: "--key", elsewhere: "--key-password-file")
    case .key where certificatePasswordFile != nil, nil where certificatePasswordFile != nil:
      throw .missingIdentifier(
        name: "certificate", option: "--cert", elsewhere: "--cert-password-file")
    default: break
    }
  }
}
