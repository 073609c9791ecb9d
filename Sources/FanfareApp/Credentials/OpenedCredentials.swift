internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import Projects

/// What a run authenticates with, opened: a key or a certificate, never both.
struct OpenedCredentials: Sendable {
  enum Kind: Sendable {
    /// A key that has proved to sign, and what hands out its provider tokens.
    case key(KeyID, TeamID, ProviderTokenSource)
    /// A client certificate, and what is shown of it in the TLS handshake.
    case certificate(ClientCertificate, ClientIdentity)
  }

  let kind: Kind
  /// Where the key or certificate came from: a path or a variable.
  let name: String
  /// The option, variable or place in a file that names it; nil for a key that was made up.
  var origin: String?
  /// What the history keeps of where they are.
  var stored = Settings()
  /// What a person should know, although they can be used.
  var warnings: [CredentialWarning] = []

  /// Opens a key, for what only a key can sign.
  ///
  /// - Throws: `Failure.certificateSignsNothing` when a certificate is named, `Failure.noKey` when
  ///   nothing is.
  static func key(_ settings: Settings, _ context: Context) throws(Failure) -> OpenedCredentials {
    if let certificate = settings.certificate {
      throw .certificateSignsNothing(origin: certificate.origin.text)
    }
    guard let key = KeySettings(settings) else { throw .noKey }
    return try key.open(context)
  }

  /// A key that was made up, for the emulator. Its tokens are never cached.
  static func throwAway(_ context: Context) throws(Failure) -> OpenedCredentials {
    do {
      let (keyID, teamID) = (try KeyID("THROWAWAY0"), try TeamID("EMULATOR00"))
      let clock = context.clock
      let tokens = ProviderTokenSource(
        key: try SigningKey.generate(), keyID: keyID, teamID: teamID
      ) { clock.epochSeconds }
      return OpenedCredentials(kind: .key(keyID, teamID, tokens), name: "made up for this run")
    } catch {
      throw .key(name: "throw-away key", error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }
}

extension OpenedCredentials {
  /// What connections authenticate with.
  var push: PushCredentials {
    switch kind {
    case .key(_, _, let tokens): .tokens(tokens)
    case .certificate(_, let identity): .certificate(identity)
    }
  }

  /// The certificate; nil when it is a key.
  var certificate: ClientCertificate? {
    if case .certificate(let certificate, _) = kind { certificate } else { nil }
  }

  /// A provider token.
  ///
  /// - Throws: `Failure.key` when the key cannot sign, `Failure.certificateSignsNothing` for a
  ///   certificate.
  func providerToken() throws(Failure) -> ProviderToken {
    guard case .key(_, _, let tokens) = kind else {
      throw .certificateSignsNothing(origin: origin ?? name)
    }
    do throws(SigningKeyError) {
      return try tokens.token()
    } catch {
      throw .key(name: name, error)
    }
  }

  /// How old the provider token in use is, in seconds; nil when none was needed.
  func tokenAge(_ context: Context) -> Int64? {
    guard case .key(_, _, let tokens) = kind, let issued = tokens.issuedAt else { return nil }
    return context.clock.epochSeconds - issued
  }
}
