import COpenSSL
import Credentials
import TestSupport

/// Writes a `.p12` the openssl command would not: several keys, no password at all.
func builtP12(
  certificates: [String], keys: [String], password: String?, in workshop: CertificateWorkshop
) throws -> SecretBytes {
  var (bags, safes): (OpaquePointer?, OpaquePointer?)
  for name in certificates {
    let certificate = try d2i(workshop.der(name)) { d2i_X509(nil, $0, $1) }
    PKCS12_add_cert(&bags, certificate)
    X509_free(certificate)
  }
  for name in keys {
    try openssl(
      "pkey", "-in", "\(name).key", "-outform", "DER", "-out", "\(name).key.der",
      in: workshop.folder)
    let key = try d2i(workshop.bytes("\(name).key.der")) { d2i_AutoPrivateKey(nil, $0, $1) }
    PKCS12_add_key(
      &bags, key, 0, 2048, NID_pbe_WithSHA1And3_Key_TripleDES_CBC, password)
    EVP_PKEY_free(key)
  }
  PKCS12_add_safe(&safes, bags, -1, 0, nil)
  let archive = PKCS12_add_safes(safes, 0)
  PKCS12_set_mac(archive, password, -1, nil, 0, 2048, EVP_sha1())
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = i2d_PKCS12(archive, &bytes)
  defer {
    PKCS12_free(archive)
    OPENSSL_sk_pop_free(safes) { PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) }
    OPENSSL_sk_pop_free(bags) { PKCS12_SAFEBAG_free($0.map { OpaquePointer($0) }) }
    fanfare_free(bytes)
  }
  return secretBytes(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
}

private func d2i(
  _ der: [UInt8], _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
) -> OpaquePointer? {
  der.withUnsafeBufferPointer { bytes in
    var next = bytes.baseAddress
    return read(&next, bytes.count)
  }
}

/// The same contents as BER with indefinite lengths, as some tools write a `.p12` (X.690 8.1.3.6).
/// The long octet string becomes one of pieces.
func indefinite(_ der: ArraySlice<UInt8>) -> [UInt8] {
  var (written, rest): ([UInt8], ArraySlice<UInt8>) = ([], der)
  while let tag = rest.first {
    let digits = rest.dropFirst().first.map { $0 < 0x80 ? 0 : Int($0 & 0x7F) } ?? 0
    let length = rest.dropFirst(digits == 0 ? 1 : 2).prefix(max(1, digits))
      .reduce(0) { $0 << 8 | Int($1) }
    let content = rest.dropFirst(2 + digits).prefix(length)
    let whole = rest.prefix(2 + digits + length)
    rest = rest.dropFirst(whole.count)
    if tag & 0x20 != 0 {
      written += [tag, 0x80] + indefinite(content) + [0, 0]
    } else if tag == 0x04, length > 200 {
      written += [0x24, 0x80] + pieces(of: content) + [0, 0]
    } else {
      written += whole
    }
  }
  return written
}

private func pieces(of content: ArraySlice<UInt8>) -> [UInt8] {
  stride(from: content.startIndex, to: content.endIndex, by: 100).flatMap { start in
    let piece = content[start..<min(start + 100, content.endIndex)]
    return [0x04, UInt8(piece.count)] + piece
  }
}
