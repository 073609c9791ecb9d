internal import COpenSSL

/// The common name of a kind of key: `RSA 2048`, `EC P-256`, `ED25519`.
func keyName(of key: OpaquePointer) -> String {
  let algorithm = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
  switch EVP_PKEY_get_base_id(key) {
  case EVP_PKEY_RSA: return "\(algorithm) \(EVP_PKEY_get_bits(key))"
  case EVP_PKEY_EC: return "\(algorithm) \(curveName(of: key) ?? "of a curve of its own")"
  default: return algorithm
  }
}

private func curveName(of key: OpaquePointer) -> String? {
  var name = [CChar](repeating: 0, count: 64)
  var count = 0
  defer { ERR_clear_error() }
  guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
  let id = OBJ_sn2nid(name)
  if let known = EC_curve_nid2nist(id) { return String(cString: known) }
  return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// SHA-256 of a key's public half as SubjectPublicKeyInfo in DER (RFC 5280 section 4.1.2.7); nil if
/// OpenSSL cannot encode it.
package func publicKeySHA256(of key: OpaquePointer) -> [UInt8]? {
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = Int(i2d_PUBKEY(key, &bytes))
  guard count > 0 else { return nil }
  defer { CRYPTO_free(bytes, nil, 0) }
  return sha256(UnsafeRawBufferPointer(start: bytes, count: count))
}
