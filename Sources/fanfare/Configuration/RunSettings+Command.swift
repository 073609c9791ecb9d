internal import CommandLineKit

extension RunSettings {
  /// The run's own options, and over them what another command says: where to send and who signs,
  /// when it says so, and what is told.
  ///
  /// - Throws: `Failure.damagedRun` when this version did not write them.
  func options(
    _ server: ServerOptions, _ credentials: CredentialOptions, _ telling: TellingOptions
  ) throws(Failure) -> SendingOptions {
    guard var options = try? Send.parse(wordsFromHere).options else { throw .damagedRun }
    options.server.take(server)
    options.credentials.take(credentials)
    let keepsPayloads = options.telling.keepPayloads
    options.telling = telling
    options.telling.keepPayloads = keepsPayloads || telling.keepPayloads
    return options
  }
}

extension ServerOptions {
  /// Takes over what another command line says. Another place comes with all that belongs to it: whom
  /// the old one was trusted by, and how it was reached, says nothing about the new one.
  fileprivate mutating func take(_ other: ServerOptions) {
    if other.environment != nil || other.server != nil {
      self = other
      return
    }
    port = other.port ?? port
    roots = other.roots ?? roots
    proxy = other.proxy ?? proxy
    profile = other.profile ?? profile
    tlsKeyLog = other.tlsKeyLog
  }
}

extension CredentialOptions {
  /// Takes over what another command line says: somebody else altogether, or a password.
  fileprivate mutating func take(_ other: CredentialOptions) {
    if other.key != nil || other.certificate != nil {
      self = other
      return
    }
    keyPasswordFile = other.keyPasswordFile ?? keyPasswordFile
    certificatePasswordFile = other.certificatePasswordFile ?? certificatePasswordFile
    tokenCache = other.tokenCache
  }
}
