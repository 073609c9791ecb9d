internal import COpenSSL
internal import POSIX

/// The certificate authorities that the system trusts.
public enum SystemRoots {
  /// The bundle and the directory of hashed names in which OpenSSL looks for them.
  public static var places: (bundle: String, directory: String) {
    let bundle = getenv(String(cString: X509_get_default_cert_file_env()))
    let directory = getenv(String(cString: X509_get_default_cert_dir_env()))
    return (
      String(cString: bundle ?? UnsafeMutablePointer(mutating: X509_get_default_cert_file())),
      String(cString: directory ?? UnsafeMutablePointer(mutating: X509_get_default_cert_dir()))
    )
  }

  /// Trusts the system's roots. From a directory of hashed names OpenSSL reads single certificates
  /// on demand; loading a bundle costs every process some ten milliseconds.
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
    return hashedNames(in: places.directory) >= wholeStore
  }()

  private static let wholeStore = 32

  private static func hashedNames(in path: String) -> Int {
    names(inFolder: path)?.count { $0.hasSuffix(".0") } ?? 0
  }

  /// The number of authorities, in the bundle or the directory, whichever has more. Reading a
  /// bundle takes some ten milliseconds.
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
