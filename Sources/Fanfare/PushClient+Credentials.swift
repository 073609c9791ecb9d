package import Credentials
internal import HTTP2

extension PushClient {
  /// The credentials of a client: a signing key or a client certificate. They appear in no
  /// description.
  public struct Credentials: Sendable {
    package let push: PushCredentials
    /// What makes two of them the same: the IDs and the public part of the key, or the certificates.
    private let identity: [[UInt8]]?

    package init(push: PushCredentials, identity: [[UInt8]]? = nil) {
      (self.push, self.identity) = (push, identity)
    }

    func isSame(as other: Credentials) -> Bool {
      if let identity, identity == other.identity { return true }
      return push.objectIdentifier == other.push.objectIdentifier
    }

    /// Reads a signing key from a `.p8` file.
    ///
    /// - Parameters:
    ///   - file: the key's file.
    ///   - keyID: the key ID; nil takes it from a name such as `AuthKey_ABC123DEFG.p8`.
    ///   - teamID: the team ID.
    ///   - password: the password of an encrypted key.
    /// - Throws: ``CredentialsError``.
    public static func signingKey(
      file: String, keyID: String? = nil, teamID: String, password: String? = nil
    ) throws(CredentialsError) -> Credentials {
      try signingKey(
        Fanfare.contents(of: file, "key"), keyID ?? fileKeyID(file), teamID, password, name: file)
    }

    /// Takes a signing key in PEM, as from a secret store.
    ///
    /// - Throws: ``CredentialsError``.
    public static func signingKey(
      pem: String, keyID: String, teamID: String, password: String? = nil
    ) throws(CredentialsError) -> Credentials {
      try signingKey(SecretBytes(pem), keyID, teamID, password, name: "the signing key")
    }

    /// Reads a client certificate with its private key, from a `.p12` or PEM file.
    ///
    /// - Parameters:
    ///   - file: the certificate's file.
    ///   - key: the file with the key; nil when the key is with the certificate.
    ///   - password: the password of the file or the key.
    /// - Throws: ``CredentialsError``.
    public static func certificate(
      file: String, key: String? = nil, password: String? = nil
    ) throws(CredentialsError) -> Credentials {
      let contents = try Fanfare.contents(of: file, "certificate")
      let keyContents = try key.map { (key) throws(CredentialsError) in
        try Fanfare.contents(of: key, "key")
      }
      return try explaining(file) {
        let certificate = try ClientCertificate.load(
          contents, key: keyContents, password: password.map { SecretBytes($0) })
        let identity = try certificate.withKeyDER { key in
          try ClientIdentity(certificates: certificate.certificatesDER, key: key)
        }
        return Credentials(push: .certificate(identity), identity: certificate.certificatesDER)
      }
    }

    private static func signingKey(
      _ contents: SecretBytes, _ keyID: String?, _ teamID: String, _ password: String?,
      name: String
    ) throws(CredentialsError) -> Credentials {
      try explaining(name) {
        // A key that cannot sign is reported before anything is sent, and before its IDs.
        let key = try SigningKey(contents: contents, password: password.map { SecretBytes($0) })
        guard let keyID else {
          throw CredentialsError(
            description: "\(name): its name has no key ID, as AuthKey_ABC123DEFG.p8 has. "
              + "Give the key ID.")
        }
        let identity = [Array(keyID.utf8), Array(teamID.utf8), try key.publicKeyDER()]
        let source = ProviderTokenSource(
          key: key, keyID: try identifier("key ID", keyID, KeyID.init),
          teamID: try identifier("team ID", teamID, TeamID.init)
        ) { RunClock.system.epochSeconds }
        return Credentials(push: .tokens(source), identity: identity)
      }
    }

    private static func identifier<ID>(
      _ name: String, _ text: String, _ make: (String) throws(IdentifierError) -> ID
    ) throws(CredentialsError) -> ID {
      do throws(IdentifierError) { return try make(text) } catch {
        throw CredentialsError(description: "This is not a \(name): \(error.clause).")
      }
    }

    /// The key ID in the name of a file; nil when there is none.
    private static func fileKeyID(_ file: String) -> String? {
      KeyID(fileName: file.split(separator: "/").last.map(String.init) ?? file)?.text
    }
  }
}

/// The reason credentials cannot be used.
public struct CredentialsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or part at fault, and the fault.
  public let description: String

  init(description: String) { self.description = description }
}

private func explaining<Value>(
  _ name: String, _ body: () throws -> Value
) throws(CredentialsError) -> Value {
  do { return try body() } catch let error as CredentialsError { throw error } catch {
    throw CredentialsError(description: "\(name): \(sentence(of: error))")
  }
}

private func contents(
  of file: String, _ purpose: String
) throws(CredentialsError) -> SecretBytes {
  if file.isEmpty { throw CredentialsError(description: "The path of the \(purpose) is empty.") }
  // The text of a key must not be in the sentence.
  if file.contains("-----BEGIN") {
    throw CredentialsError(
      description: "The path of the \(purpose) is the text of one, which signingKey(pem:…) takes.")
  }
  do { return try SecretFile.read(file).bytes } catch {
    throw CredentialsError(description: "\(file) \(error.clause(purpose)).")
  }
}

/// An error from below in a sentence.
func sentence(of error: any Error) -> String {
  switch error {
  case let error as DialError: error.sentence
  case let error as SigningKeyError: error.sentence
  case let error as CertificateError: error.sentence
  case let error as ClientIdentity.Failure: error.sentence
  default: "\(error)"
  }
}
