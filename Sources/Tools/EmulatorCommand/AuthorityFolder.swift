internal import Credentials
internal import Opening
internal import PlainText
internal import PushEmulator
internal import Reporting
internal import Settings

/// The private folder that keeps an emulator's authority between starts.
struct AuthorityFolder {
  private static let certificate = "ca.pem"
  private static let key = "ca-key.der"
  private static let limit = 16 * 1024

  let authority: KeptAuthority
  /// The file with the certificate to trust.
  let roots: String

  /// Reads the authority from the folder, or makes a new one if it is missing or expired.
  init(_ path: String, _ context: Context) throws(Failure) {
    guard let folder = PrivateFolder(path), let lock = folder.lock("ca.lock", patience: 5000) else {
      throw .unusable(path)
    }
    defer { withExtendedLifetime(lock) {} }
    roots = path + "/" + Self.certificate
    let certificate = folder.read(Self.certificate, limit: Self.limit)
    let key = folder.read(Self.key, limit: Self.limit)
    if let certificate, let key,
      let kept = KeptAuthority(certificate: certificate, stillGoodWith: key)
    {
      authority = kept
      return
    }
    authority = try attempt(try KeptAuthority.new()) { .emulator($0) }
    // The key first: a certificate without its key would be trusted for nothing.
    guard folder.replace(Self.key, with: authority.key),
      folder.replace(Self.certificate, with: authority.certificate)
    else { throw .unusable(path) }
    if certificate != nil { context.teller.warn("ca: \(roots.printable) was renewed; trust it again") }
  }
}

extension Failure {
  fileprivate static func unusable(_ path: String) -> Failure {
    if !fileExists(path) {
      return Failure(
        "The folder \(path.printable) cannot be made.",
        fix: "Check the path, and the permissions of the folder above it.")
    }
    let fix = "Name a folder of your own with mode 0700, or one that does not exist yet."
    if !FolderListing.isFolder(path) {
      return Failure("\(path.printable) is not a folder.", fix: fix)
    }
    return Failure(
      "The folder \(path.printable) cannot be used: only its owner may have access to it.",
      fix: fix)
  }
}
