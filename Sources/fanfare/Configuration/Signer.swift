internal import APNS
internal import Projects

/// Who will sign, as far as it has to be known before the message: a certificate is open, for it
/// names the app; a key is not read yet.
enum Signer: Sendable {
  /// Nobody is named. The emulator takes a key that is made up.
  case nobody
  case key(KeyLayer)
  case certificate(CertificateChoice)

  init(
    _ options: CredentialOptions, scenario: Scenario?, _ context: Context
  ) throws(Failure) {
    try self.init(CredentialLayer.chosen(options, scenario, context), options, context)
  }

  /// - Parameter layer: who is named; nil when nobody is.
  init(
    _ layer: CredentialLayer?, _ options: CredentialOptions, _ context: Context
  ) throws(Failure) {
    switch layer {
    case .key(let layer): self = .key(layer)
    case .certificate(let layer): self = .certificate(try layer.open(options, context))
    case nil: self = .nobody
    }
  }

  /// The certificate; nil when there is none.
  var certificate: CertificateChoice? {
    if case .certificate(let choice) = self { choice } else { nil }
  }

  /// How the rules have to think of it. A made-up key stands for any way of signing in: the
  /// emulator takes all push types.
  func authentication(at environment: PushEnvironment) -> Authentication? {
    switch self {
    case .nobody: environment == .emulator ? nil : .token
    case .key: .token
    case .certificate: .certificate
    }
  }

  /// Reads what was not read yet.
  ///
  /// - Throws: `Failure.noKey` when somebody has to sign and nobody is named.
  func credentials(
    for environment: PushEnvironment, _ options: CredentialOptions, _ context: Context
  ) throws(Failure) -> CredentialChoice {
    switch self {
    case .nobody:
      if environment != .emulator { throw .noKey }
      return .key(try KeyChoice.throwAway(context))
    case .key(let layer): return .key(try layer.open(options, context))
    case .certificate(let choice): return .certificate(choice)
    }
  }
}
