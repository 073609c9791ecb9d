internal import Credentials
internal import HTTP2
internal import Projects

/// Who is sending, after all layers were looked at: a key or a certificate, never both. They come
/// whole from the highest layer that names one.
enum CredentialChoice: Sendable {
  case key(KeyChoice)
  case certificate(CertificateChoice)

  /// Who signs what only a key can sign.
  ///
  /// - Throws: `Failure.certificateSignsNothing` when a certificate is named, `Failure.noKey` when
  ///   nothing is.
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
  static func faults(in scenario: Scenario, _ context: Context) -> [Failure] {
    do throws(Failure) {
      return try CredentialLayer(scenario, context)?.faults ?? []
    } catch {
      return [error]
    }
  }

  /// What a run signs in with.
  var push: PushCredentials {
    switch self {
    case .key(let choice): .tokens(choice.tokens)
    case .certificate(let choice): .certificate(choice.identity)
    }
  }

  /// How old the provider token in use is, in seconds; nil when none was needed.
  func tokenAge(_ context: Context) -> Int64? {
    guard case .key(let choice) = self, let issued = choice.tokens.issuedAt else { return nil }
    return context.clock.epochSeconds - issued
  }

  /// Where the key or certificate came from: a path or a variable.
  var name: String {
    switch self {
    case .key(let choice): choice.name
    case .certificate(let choice): choice.name
    }
  }

  /// The profile that it is written in; nil when it is not.
  var profile: String? {
    switch self {
    case .key(let choice): choice.profile
    case .certificate(let choice): choice.profile
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
