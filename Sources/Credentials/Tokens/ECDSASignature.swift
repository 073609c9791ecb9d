internal import COpenSSL

/// P-256 signatures, in the two forms that APNs accepts.
package enum ECDSASignature {
  /// The kind of key ES256 needs (RFC 7518 section 3.4), as ``keyKind(of:)`` names it.
  package static let usableKeyKind = "EC P-256"

  /// The kind of key in a SubjectPublicKeyInfo, such as `EC P-256`; nil unless the bytes are
  /// exactly one.
  package static func keyKind(of der: [UInt8]) -> String? {
    defer { ERR_clear_error() }
    return der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard let key = d2i_PUBKEY(nil, &next, bytes.count) else { return nil }
      defer { EVP_PKEY_free(key) }
      return next == bytes.baseAddress.map { $0 + bytes.count } ? keyName(of: key) : nil
    }
  }

  /// Converts a raw signature of 64 bytes to DER, OpenSSL's form; nil for any other length.
  static func der(ofRaw raw: [UInt8]) -> [UInt8]? {
    guard raw.count == 64, let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let (r, s) = (BN_bin2bn(raw, 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil))
    // On success the signature owns both numbers.
    guard ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(r)
      BN_free(s)
      return nil
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = Int(i2d_ECDSA_SIG(signature, &bytes))
    defer { CRYPTO_free(bytes, nil, 0) }
    return count > 0 ? Array(UnsafeBufferPointer(start: bytes, count: count)) : nil
  }

  /// Returns true if the bytes are exactly one signature in DER.
  static func isDER(_ bytes: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    return bytes.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &next, bytes.count) else { return false }
      ECDSA_SIG_free(signature)
      return next == bytes.baseAddress.map { $0 + bytes.count }
    }
  }

  /// Verifies an ES256 signature of either form.
  ///
  /// - Parameter key: SubjectPublicKeyInfo in DER.
  package static func isValid(
    _ signature: [UInt8], _ form: ProviderTokenFacts.SignatureForm, of message: [UInt8],
    _ key: [UInt8]
  ) -> Bool {
    let der = form == .der ? signature : der(ofRaw: signature)
    return der.map { isValid($0, of: message, key) } ?? false
  }

  /// Verifies an ES256 signature in DER.
  ///
  /// - Parameters:
  ///   - signature: DER.
  ///   - key: SubjectPublicKeyInfo in DER.
  static func isValid(_ signature: [UInt8], of message: [UInt8], _ key: [UInt8]) -> Bool {
    let key = key.withUnsafeBytes { bytes in decoded(bytes) { d2i_PUBKEY(nil, $0, $1) } }
    let context = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
      ERR_clear_error()
    }
    return key != nil && EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}
