internal import APNS
internal import Credentials
internal import PlainText
package import PushEmulator
internal import PushInbox
internal import Reporting
internal import Runs
internal import Settings
internal import WebServer

/// The private folder that keeps an emulator's authority between starts.
struct AuthorityFolder {
  private static let certificate = "ca.pem"
  private static let key = "ca-key.der"
  private static let limit = 16 * 1024

  /// The files in such a folder.
  static func files(in path: String) -> [String] { [certificate, key].map { "\(path)/\($0)" } }

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
    if certificate != nil {
      context.teller.warn("ca: \(roots.printable) was renewed; trust it again")
    }
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

/// A signing key whose provider tokens an emulator accepts.
package struct TrustedKeyFile: Sendable, Equatable {
  /// The `.p8` file; without it the other members must not be given either.
  package var path: String?
  package var keyID: String?
  package var teamID: String?
  /// Nil for both.
  package var environment: EmulatorEnvironment?

  package init() {}

  /// - Throws: `Failure` if the key cannot be used.
  func read(_ context: Context) throws(Failure) -> TrustedKey? {
    guard let path else {
      try refuseStrayOptions()
      return nil
    }
    var options = Settings()
    options.key = Setting(.file(path), .setting("--key"))
    options.keyID = keyID.map { Setting($0, .setting("--key-id")) }
    options.teamID = teamID.map { Setting($0, .setting("--team-id")) }
    options.tokenCache = Setting(false, .builtIn)
    let credentials = try OpenedCredentials.key(options, context)
    context.teller.note(credentials.warnings.parts)
    guard case .key(let keyID, let teamID, let tokens) = credentials.kind else { return nil }
    do {
      return try TrustedKey(
        keyID: keyID.text, teamID: teamID.text, publicKey: try tokens.publicKeyDER(),
        environments: environment.map { [$0] } ?? Set(EmulatorEnvironment.allCases))
    } catch {
      throw .key(name: path, error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }

  private func refuseStrayOptions() throws(Failure) {
    let given = [
      ("--key-id", keyID != nil), ("--team-id", teamID != nil), ("--trust-env", environment != nil),
    ]
    if let (option, _) = given.first(where: \.1) {
      throw .missingCredentials("key", option: "--trust", neededBy: option)
    }
  }
}

/// The file of `--inbox-key`.
enum InboxKeyFile {
  private static let purpose = "inbox key"

  /// Reads the key from a file. If the file does not exist, a new key is written to it.
  static func key(in path: String, _ context: Context) throws(Failure) -> AccessKey {
    if !fileExists(path) { return try write(AccessKey(), path) }
    let file = try attempt(try SecretFile.read(path)) { (error: SecretFileError) in
      Failure(error.sentence(path, purpose), fix: error.fix(path, purpose), cause: error)
    }
    if let mode = file.exposure?.mode {
      let warning = CredentialWarning.exposedFile(path: path, purpose: purpose, mode: mode)
      context.teller.note([warning].parts)
    }
    let text = file.bytes.withBytes { String(decoding: $0, as: UTF8.self) }
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.isEmpty {
      throw Failure(
        "The file \(path.printable) is empty: it should have the key of an inbox.",
        fix: "Remove it, and a file with a new key is written in its place.")
    }
    guard words.count == 1, let key = AccessKey(words[0]) else {
      throw Failure(
        "The file \(path.printable) does not have the key of an inbox: \(AccessKey.shortest) to "
          + "\(AccessKey.longest) letters, digits, '-' or '_'.",
        fix: "Name a file that does not exist yet, and a key is written into it.")
    }
    return key
  }

  private static func write(_ key: AccessKey, _ path: String) throws(Failure) -> AccessKey {
    do throws(FileFailure) {
      let file = try NewFile(path, for: purpose)
      file.output.write(key.text + "\n")
      try file.finish()
    } catch {
      throw .file(error)
    }
    return key
  }
}
