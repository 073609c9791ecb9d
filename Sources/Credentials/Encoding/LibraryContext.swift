internal import COpenSSL

/// Where OpenSSL looks its algorithms up.
///
/// `@unchecked Sendable` because OpenSSL locks its contexts itself, and the pointer never changes.
final class LibraryContext: @unchecked Sendable {
  /// Nil for the one of the process.
  let pointer: OpaquePointer?

  /// The one of the process, which knows no weak algorithm.
  static let usual = LibraryContext(pointer: nil)

  /// One of its own with the algorithms of old `.p12` files (RC2, RC4, DES), which only those are
  /// read with; nil when the module that holds them is not installed. Made when first asked for.
  static let legacy = LibraryContext(legacyModuleIn: nil)

  private init(pointer: OpaquePointer?) { self.pointer = pointer }

  /// One with the legacy provider, whose module lies in this folder; nil for OpenSSL's own folder.
  init?(legacyModuleIn folder: String?) {
    defer { ERR_clear_error() }
    guard let context = OSSL_LIB_CTX_new() else { return nil }
    if let folder { OSSL_PROVIDER_set_default_search_path(context, folder) }
    guard OSSL_PROVIDER_load(context, "default") != nil,
      OSSL_PROVIDER_load(context, "legacy") != nil
    else {
      OSSL_LIB_CTX_free(context)
      return nil
    }
    pointer = context
  }

  // The providers go with it.
  deinit { OSSL_LIB_CTX_free(pointer) }
}
