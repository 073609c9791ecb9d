internal import COpenSSL
internal import POSIX

/// The authorities that the system trusts.
enum SystemRoots {
  /// A directory of hashed names is read one certificate at a time, when a chain asks for it; a
  /// bundle costs some ten milliseconds of every process.
  static func trust(in context: OpaquePointer) {
    if hasHashedDirectory {
      SSL_CTX_set_default_verify_dir(context)
    } else {
      SSL_CTX_set_default_verify_paths(context)
    }
  }

  /// True if OpenSSL's certificate directory holds a whole store of names like `5ed36f99.0`, and
  /// not just a few added next to a bundle.
  private static let hasHashedDirectory: Bool = {
    guard getenv(String(cString: X509_get_default_cert_file_env())) == nil else { return false }
    let directory = getenv(String(cString: X509_get_default_cert_dir_env()))
    let path = directory.map { String(cString: $0) } ?? String(cString: X509_get_default_cert_dir())
    return names(inFolder: path)?.count { $0.hasSuffix(".0") } ?? 0 >= wholeStore
  }()

  private static let wholeStore = 32
}
