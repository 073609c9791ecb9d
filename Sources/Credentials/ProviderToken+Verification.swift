extension ProviderToken {
  /// Whether the owner of this public key signed it with ES256 (RFC 7518 section 3.4).
  ///
  /// - Parameter publicKey: SubjectPublicKeyInfo in DER (RFC 5480).
  package func isVerified(by publicKey: [UInt8]) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let raw = base64URLDecoded(Array(parts[2])[...]),
      let signature = ECDSASignature.der(ofRaw: raw)
    else { return false }
    let signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    return ECDSASignature.isValid(signature, of: signed, publicKey)
  }
}
