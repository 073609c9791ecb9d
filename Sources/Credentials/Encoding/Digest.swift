internal import COpenSSL

/// SHA-256 (FIPS 180-4), 32 bytes.
func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { hash, count in
    SHA256(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, hash.baseAddress)
    count = hash.count
  }
}

/// SHA-256 (FIPS 180-4), 32 bytes.
func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { sha256($0) } }
