internal import COpenSSL

/// SHA-256 (FIPS 180-4), in memory that is reused for each text.
final class SHA256Hash {
  private let context = EVP_MD_CTX_new()
  private let algorithm = EVP_MD_fetch(nil, "SHA256", nil)
  private var result = [UInt8](repeating: 0, count: 32)

  deinit {
    EVP_MD_CTX_free(context)
    EVP_MD_free(algorithm)
  }

  /// Returns the 32-byte hash of the bytes.
  func digest(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let isDone =
      EVP_DigestInit_ex2(context, algorithm, nil) == 1
      && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
      && EVP_DigestFinal_ex(context, &result, nil) == 1
    precondition(isDone, "OpenSSL has no SHA-256")
    return result
  }
}
