public import HTTP2

/// How a run proves who is sending: with one of the two ways APNs knows, never with both.
public enum PushCredentials: Sendable {
  /// With provider tokens, one in each request's `authorization`.
  case tokens(ProviderTokenSource)
  /// With a client certificate in the TLS handshake.
  case certificate(ClientIdentity)

  /// What is shown in the TLS handshake; nil for nothing.
  package var identity: ClientIdentity? {
    if case .certificate(let identity) = self { identity } else { nil }
  }

  /// What tells them from all others in this process.
  package var objectIdentifier: ObjectIdentifier {
    switch self {
    case .tokens(let source): ObjectIdentifier(source)
    case .certificate(let identity): ObjectIdentifier(identity)
    }
  }

  /// The provider token to use now; nil when none is needed.
  package func token() throws(SigningKeyError) -> ProviderToken? {
    guard case .tokens(let source) = self else { return nil }
    return try source.token()
  }

  /// Whether there is another provider token to use after APNs called this one expired.
  package func replaces(_ expired: ProviderToken) -> Bool {
    guard case .tokens(let source) = self else { return false }
    return source.replaces(expired)
  }

  /// The provider token to use after APNs called this one expired; nil when none is needed.
  package func token(after expired: ProviderToken) throws(SigningKeyError) -> ProviderToken? {
    guard case .tokens(let source) = self else { return nil }
    return try source.token(after: expired)
  }
}
