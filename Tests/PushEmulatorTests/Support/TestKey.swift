import COpenSSL
import Testing

@testable import PushEmulator

/// A P-256 key made for one test, which signs provider tokens.
final class TestKey {
  enum SignatureForm { case raw, der }

  private let key: GeneratedKey

  init() throws { key = try GeneratedKey() }

  /// The public key as SubjectPublicKeyInfo in DER.
  func publicKey() throws -> [UInt8] {
    try derBytes("i2d_PUBKEY") { i2d_PUBKEY(key.pointer, $0) }
  }

  /// This key as one that the emulator is to trust.
  func trusted(
    keyID: String = "ABC123DEFG", teamID: String = "DEF123GHIJ",
    environments: Set<EmulatorEnvironment> = Set(EmulatorEnvironment.allCases)
  ) throws -> TrustedKey {
    try TrustedKey(
      keyID: keyID, teamID: teamID, publicKey: publicKey(), environments: environments)
  }

  /// An `authorization` header's value for a good provider token.
  func bearer(
    keyID: String = "ABC123DEFG", teamID: String = "DEF123GHIJ", issuedAt: Int = 1_000_000,
    form: SignatureForm = .raw
  ) throws -> String {
    try bearer(
      header: #"{"alg":"ES256","kid":"\#(keyID)"}"#,
      claims: #"{"iss":"\#(teamID)","iat":\#(issuedAt)}"#, form: form)
  }

  /// An `authorization` header's value for any header and claims.
  func bearer(header: String, claims: String, form: SignatureForm = .raw) throws -> String {
    let text = base64URL(Array(header.utf8)) + "." + base64URL(Array(claims.utf8))
    return "bearer " + text + "." + base64URL(try sign(text, form))
  }

  private func sign(_ text: String, _ form: SignatureForm) throws -> [UInt8] {
    let context = try #require(EVP_MD_CTX_new())
    defer { EVP_MD_CTX_free(context) }
    try #require(EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1)
    let text = Array(text.utf8)
    var signature = [UInt8](repeating: 0, count: 80)
    var count = signature.count
    try #require(EVP_DigestSign(context, &signature, &count, text, text.count) == 1)
    let der = Array(signature[..<count])
    return form == .der ? der : try raw(der)
  }

  private func raw(_ der: [UInt8]) throws -> [UInt8] {
    var next: UnsafePointer<UInt8>?
    return try der.withUnsafeBufferPointer { buffer in
      next = buffer.baseAddress
      let signature = try #require(d2i_ECDSA_SIG(nil, &next, buffer.count))
      defer { ECDSA_SIG_free(signature) }
      var raw = [UInt8](repeating: 0, count: 64)
      try #require(BN_bn2binpad(ECDSA_SIG_get0_r(signature), &raw, 32) == 32)
      var end = [UInt8](repeating: 0, count: 32)
      try #require(BN_bn2binpad(ECDSA_SIG_get0_s(signature), &end, 32) == 32)
      return Array(raw[..<32]) + end
    }
  }
}

/// Base64 with the alphabet for URLs, without padding.
func base64URL(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = Array(bytes[start..<min(start + 3, bytes.count)])
    let bits = (group + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
    for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 0x3F]) }
  }
  return text
}
