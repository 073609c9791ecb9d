package import Credentials
import Foundation

/// A folder with a root, an issuer below it, and a certificate for pushes with its key, as Apple
/// would issue them: `root`, `middle` and `leaf`, each `.pem` and `.key`.
package struct CertificateWorkshop {
  package static let leafSubject = "/UID=com.example.shop/CN=Apple Push Services: com.example.shop"

  package let folder: KeptFolder

  /// What every workshop begins with is made once.
  private static let files = Result {
    let folder = try Self(making: KeptFolder()).folder
    return try folder.names().filter { !$0.hasPrefix(".") }.map { ($0, try folder.bytes($0)) }
  }

  package init() throws {
    folder = try KeptFolder()
    for (name, bytes) in try Self.files.get() { chmod(try folder.file(name, bytes), 0o600) }
  }

  private init(making folder: KeptFolder) throws {
    self.folder = folder
    try make("root", subject: "/CN=Test Root", "CA:TRUE", signedBy: nil)
    try make("middle", subject: "/CN=Test Issuer/OU=G4", "CA:TRUE", signedBy: "root")
    try make("leaf", subject: Self.leafSubject, extensions: pushExtensions(of: "com.example.shop"))
  }

  /// Makes a key and a certificate, by default below `middle`.
  package func make(
    _ name: String, subject: String, _ constraint: String = "CA:FALSE", extensions: String = "",
    algorithm: [String] = ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    signedBy issuer: String? = "middle", days: Int = 365
  ) throws {
    if !FileManager.default.fileExists(atPath: folder.path(of: "\(name).key")) {
      try runOpenSSL(
        ["genpkey", "-out", "\(name).key", "-algorithm"] + algorithm, in: folder)
    }
    let text = """
      [req]
      distinguished_name = name
      [name]
      [is]
      basicConstraints = \(constraint)
      \(extensions)
      """
    _ = try folder.file("\(name).cnf", text)
    let signer = issuer.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] } ?? []
    try runOpenSSL(
      ["req", "-x509", "-key", "\(name).key", "-subj", subject, "-days", "\(days)"]
        + ["-config", "\(name).cnf", "-extensions", "is", "-out", "\(name).pem"] + signer,
      in: folder)
  }

  /// Packs `leaf` and what is above it.
  package func pack(_ options: [String]) throws -> SecretBytes {
    _ = try folder.file("all.pem", try bytes("root.pem") + bytes("leaf.pem") + bytes("middle.pem"))
    try runOpenSSL(
      ["pkcs12", "-export", "-inkey", "leaf.key", "-in", "all.pem", "-out", "all.p12"] + options,
      in: folder)
    return try secret("all.p12")
  }

  package func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(name) }

  package func secret(_ names: String...) throws -> SecretBytes {
    secretBytes(try names.flatMap { try bytes($0) })
  }

  /// A certificate's DER, as the openssl command writes it.
  package func der(_ name: String) throws -> [UInt8] {
    try openssl("x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der", in: folder)
    return try bytes("\(name).der")
  }
}

/// Bytes as a secret.
package func secretBytes(_ bytes: [UInt8]) -> SecretBytes {
  bytes.withUnsafeBytes { SecretBytes(copying: $0) }
}

extension SecretBytes {
  /// A copy, for tests alone.
  package var copy: [UInt8] { withBytes { Array($0) } }
}

/// The error of loading; nil when it loads.
package func loadingFault(
  _ contents: SecretBytes, key: SecretBytes? = nil, password: String? = nil
) -> CertificateError? {
  do throws(CertificateError) {
    _ = try ClientCertificate.load(contents, key: key, password: password.map { SecretBytes($0) })
    return nil
  } catch {
    return error
  }
}
