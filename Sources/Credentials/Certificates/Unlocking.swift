internal import COpenSSL

/// The password a person gave for a file, or did not.
struct Unlocking {
  let file: CertificateError.File
  let password: SecretBytes?

  /// What to say when it does not open a lock.
  var refusal: CertificateError { password == nil ? .needsPassword(file) : .wrongPassword(file) }

  /// Tries what the password may mean, until something opens.
  ///
  /// - Throws: `tooManyIterations`; `unsupportedEncryption` when an algorithm is missing; else the
  ///   failure given.
  func unlock<Content>(
    _ lock: PasswordLock, else failure: CertificateError,
    _ open: (Passphrase) -> Content?
  ) throws(CertificateError) -> Content {
    try lock.check()
    for passphrase in Passphrase.candidates(for: password) {
      ERR_clear_error()
      if let content = open(passphrase) { return content }
      if OpenSSLErrors.sayUnsupported() { throw .unsupportedEncryption([lock.name]) }
    }
    throw failure
  }
}

extension PasswordLock {
  /// Refuses a lock that would keep the processor busy for minutes, as a hostile file could.
  func check() throws(CertificateError) {
    guard iterations <= Self.maximumIterations else {
      throw .tooManyIterations(iterations)
    }
  }
}
