internal import COpenSSL
internal import POSIX

/// The authorities that the system trusts.
public enum SystemRoots {
  /// Where OpenSSL looks for them here: a bundle, and a directory of hashed names.
  public static var places: (bundle: String, directory: String) {
    let bundle = getenv(String(cString: X509_get_default_cert_file_env()))
    let directory = getenv(String(cString: X509_get_default_cert_dir_env()))
    return (
      String(cString: bundle ?? UnsafeMutablePointer(mutating: X509_get_default_cert_file())),
      String(cString: directory ?? UnsafeMutablePointer(mutating: X509_get_default_cert_dir()))
    )
  }

  /// A directory of hashed names is read one certificate at a time, when a chain asks for it; a
  /// bundle costs some ten milliseconds of every process.
  static func trust(in context: OpaquePointer) {
    if hasHashedDirectory {
      SSL_CTX_set_default_verify_dir(context)
    } else {
      SSL_CTX_set_default_verify_paths(context)
    }
  }

  /// Whether OpenSSL's certificate directory holds a whole store of names like `5ed36f99.0`, and
  /// not just the few that were added next to a bundle.
  private static let hasHashedDirectory: Bool = {
    guard getenv(String(cString: X509_get_default_cert_file_env())) == nil else { return false }
    return hashedNames(in: places.directory) >= wholeStore
  }()

  private static let wholeStore = 32

  private static func hashedNames(in path: String) -> Int {
    names(inFolder: path)?.count { $0.hasSuffix(".0") } ?? 0
  }

  /// How many authorities there are, in the place that has more of them. Reading a bundle takes some
  /// ten milliseconds.
  public static var count: Int {
    let hashed = hashedNames(in: places.directory)
    guard let store = X509_STORE_new() else { return hashed }
    defer {
      X509_STORE_free(store)
      ERR_clear_error()
    }
    guard X509_STORE_load_file(store, places.bundle) == 1 else { return hashed }
    return max(hashed, Int(OPENSSL_sk_num(X509_STORE_get0_objects(store))))
  }
}
