public import HTTP2

/// The credentials of a run: one of the two ways to authenticate with APNs, never both.
public enum PushCredentials: Sendable {
  /// Provider tokens, one in each request's `authorization`.
  case tokens(ProviderTokenSource)
  /// A client certificate in the TLS handshake.
  case certificate(ClientIdentity)

  /// The identity for the TLS handshake; nil for provider tokens.
  package var identity: ClientIdentity? {
    if case .certificate(let identity) = self { identity } else { nil }
  }

  /// An identifier that is unique in this process.
  package var objectIdentifier: ObjectIdentifier {
    switch self {
    case .tokens(let source): ObjectIdentifier(source)
    case .certificate(let identity): ObjectIdentifier(identity)
    }
  }

  /// The current provider token; nil with a client certificate.
  package func token() throws(SigningKeyError) -> ProviderToken? {
    guard case .tokens(let source) = self else { return nil }
    return try source.token()
  }

  /// Returns true if a different provider token can be used after APNs called this one expired.
  package func replaces(_ expired: ProviderToken) -> Bool {
    guard case .tokens(let source) = self else { return false }
    return source.replaces(expired)
  }

  /// The provider token to use after APNs called this one expired; nil with a client certificate.
  package func token(after expired: ProviderToken) throws(SigningKeyError) -> ProviderToken? {
    guard case .tokens(let source) = self else { return nil }
    return try source.token(after: expired)
  }
}
