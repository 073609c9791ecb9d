internal import PushCore

/// Who is sending, after all layers were looked at: a key or a certificate, never both. They come
/// whole from the highest layer that names one.
enum CredentialChoice {
  case key(KeyChoice)
  case certificate(CertificateChoice)

  /// Options first, then the scenario, then variables.
  ///
  /// - Throws: `Failure.noKey` when none of them names a key or a certificate.
  static func resolve(
    _ options: CredentialOptions, scenario: Scenario?, _ context: Context
  ) throws(Failure) -> CredentialChoice {
    switch try CredentialLayer.chosen(options, scenario, context) {
    case .key(let layer): .key(try layer.open(options, context))
    case .certificate(let layer): .certificate(try layer.open(options, context))
    case nil: throw .noKey
    }
  }

  /// The same for what only a key can do.
  ///
  /// - Throws: `Failure.certificateSignsNothing` when a certificate is named.
  static func resolveKey(
    _ options: CredentialOptions, _ context: Context
  ) throws(Failure) -> KeyChoice {
    switch try CredentialLayer.chosen(options, nil, context) {
    case .key(let layer): return try layer.open(options, context)
    case .certificate(let layer): throw .certificateSignsNothing(origin: layer.origin)
    case nil: throw .noKey
    }
  }

  /// What is wrong with a scenario's credentials. No secret is read.
  static func faults(in scenario: Scenario) -> [Failure] {
    CredentialLayer(scenario)?.faults ?? []
  }

  /// What a run signs in with.
  var push: PushCredentials {
    switch self {
    case .key(let choice): .tokens(choice.tokens)
    case .certificate(let choice): .certificate(choice.identity)
    }
  }

  /// Where the key or certificate came from: a path or a variable.
  var name: String {
    switch self {
    case .key(let choice): choice.name
    case .certificate(let choice): choice.name
    }
  }

  /// What a person should know, although it can be used.
  var warnings: [CredentialWarning] {
    switch self {
    case .key(let choice): choice.warnings
    case .certificate(let choice): choice.warnings
    }
  }
}
