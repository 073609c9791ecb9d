internal import COpenSSL

/// The OpenSSL context in which algorithms are looked up.
///
/// `@unchecked Sendable` because OpenSSL locks its contexts itself, and the pointer never changes.
final class LibraryContext: @unchecked Sendable {
  /// The context; nil for the process's default.
  let pointer: OpaquePointer?

  /// The process's default, which has no weak algorithms.
  static let usual = LibraryContext(pointer: nil)

  /// A context with the algorithms of old `.p12` files (RC2, RC4, DES), used only to read those;
  /// nil if the legacy module is not installed. Created on first use.
  static let legacy = LibraryContext(legacyModuleIn: nil)

  private init(pointer: OpaquePointer?) { self.pointer = pointer }

  /// Loads the legacy provider from this folder; nil means OpenSSL's own folder.
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

  // This unloads the providers too.
  deinit { OSSL_LIB_CTX_free(pointer) }
}
