internal import COpenSSL

extension ProviderToken {
  /// Whether the owner of this public key signed it with ES256 (RFC 7518 section 3.4).
  ///
  /// - Parameter publicKey: SubjectPublicKeyInfo in DER (RFC 5480).
  func isVerified(by publicKey: [UInt8]) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let raw = base64URLBytes(parts[2]), raw.count == 64,
      let signature = derSignature(raw)
    else { return false }
    return verifies(signature, of: Array("\(parts[0]).\(parts[1])".utf8), publicKey)
  }
}

private func verifies(_ signature: [UInt8], of text: [UInt8], _ publicKey: [UInt8]) -> Bool {
  defer { ERR_clear_error() }
  let key = publicKey.withUnsafeBufferPointer { bytes in
    var next = bytes.baseAddress
    return d2i_PUBKEY(nil, &next, bytes.count)
  }
  guard let key, let context = EVP_MD_CTX_new() else { return false }
  defer {
    EVP_MD_CTX_free(context)
    EVP_PKEY_free(key)
  }
  return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
    && EVP_DigestVerify(context, signature, signature.count, text, text.count) == 1
}

/// JOSE has two numbers side by side; OpenSSL wants them in a DER sequence.
private func derSignature(_ raw: [UInt8]) -> [UInt8]? {
  guard let signature = ECDSA_SIG_new() else { return nil }
  defer { ECDSA_SIG_free(signature) }
  let r = BN_bin2bn(Array(raw[..<32]), 32, nil)
  let s = BN_bin2bn(Array(raw[32...]), 32, nil)
  guard ECDSA_SIG_set0(signature, r, s) == 1 else {
    BN_free(r)
    BN_free(s)
    return nil
  }
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = i2d_ECDSA_SIG(signature, &bytes)
  defer { CRYPTO_free(bytes, nil, 0) }
  return count > 0 ? Array(UnsafeBufferPointer(start: bytes, count: Int(count))) : nil
}

/// What base64url without padding stands for (RFC 4648 section 5); nil when it is none.
private func base64URLBytes(_ text: Substring) -> [UInt8]? {
  var digits = text.utf8.map { digit in
    switch digit {
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: digit
    }
  }
  let padding = (4 - digits.count % 4) % 4
  digits += repeatElement(UInt8(ascii: "="), count: padding)
  var bytes = [UInt8](repeating: 0, count: digits.count / 4 * 3 + 1)
  let count = EVP_DecodeBlock(&bytes, digits, Int32(digits.count))
  return count < 0 ? nil : Array(bytes.prefix(Int(count) - padding))
}
