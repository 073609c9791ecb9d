internal import COpenSSL

/// The password for a file, if one was given.
struct Unlocking {
  let file: CertificateError.File
  let password: SecretBytes?

  /// The error for a failed decryption.
  var refusal: CertificateError { password == nil ? .needsPassword(file) : .wrongPassword(file) }

  /// Tries the password's candidates until one decrypts.
  ///
  /// - Throws: `tooManyIterations`; `unsupportedEncryption` if an algorithm is missing; else the
  ///   given failure.
  func unlock<Content>(
    _ lock: PasswordEncryption, else failure: CertificateError,
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

extension PasswordEncryption {
  /// Refuses encryption that would keep the CPU busy for minutes, as a malicious file could.
  func check() throws(CertificateError) {
    guard iterations <= Self.maximumIterations else {
      throw .tooManyIterations(iterations)
    }
  }
}
