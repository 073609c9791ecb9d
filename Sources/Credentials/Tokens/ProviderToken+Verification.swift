extension ProviderToken {
  /// Whether the owner of this public key signed it with ES256 (RFC 7518 section 3.4).
  ///
  /// - Parameter publicKey: SubjectPublicKeyInfo in DER (RFC 5480).
  package func isVerified(by publicKey: [UInt8]) -> Bool {
    guard let token = try? JSONWebToken(Array(text.utf8)),
      let raw = try? token.bytes(of: .signature), let signature = ECDSASignature.der(ofRaw: raw)
    else { return false }
    return ECDSASignature.isValid(signature, of: token.signed, publicKey)
  }
}
