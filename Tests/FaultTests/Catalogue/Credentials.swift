import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

extension FaultRow {
  /// Keys and certificates.
  static let credentials = [
    FaultRow(
      53, "A client certificate that is expired, for the other environment, or missing",
      "Says so before connecting where it can; else tells APNs' reason or the TLS alert",
      refused("expired", "--cert expired.pem --cert-key expired.key", "expired on 2021-01-01"),
      refused(
        "expired, forced", "--cert expired.pem --cert-key expired.key --force", "BadCertificate",
        requests: 1),
      refused(
        "other environment", "--cert production.pem --cert-key production.key",
        "BadCertificateEnvironment", requests: 1),
      .run(.nothingSent, "missing", fault: .elsewhere) { bench in
        try bench.serve(with: { $0.requiresClientCertificate = true })
        bench.books.causes = ["connecting", "identity"]
        try bench.send(300)
      }),
    FaultRow(
      60, "A key file that is missing, a folder, a pipe or empty",
      "Says so, with the path, before anything is connected",
      refused("missing", "--key none.p8", "none.p8", "does not exist", code: 2),
      refused("a folder", "--key folder.p8", "folder.p8", "is a folder"),
      refused("a pipe", "--key pipe.p8", "pipe.p8", "named pipe"),
      refused("empty", "--key empty.p8", "empty.p8", "is empty")),
    FaultRow(
      61, "A key of the wrong kind, or in another form",
      "Tells which kind it is; SEC 1 and DER are taken",
      refused("RSA", "--key rsa.p8", "for RSA, not for elliptic curves"),
      refused("P-384", "--key p384.p8", "not on P-256"),
      refused("public", "--key public.pem", "a public key"),
      refused("a certificate", "--key shop.pem", "a certificate"),
      taken("SEC 1", "--key sec1.p8"), taken("DER", "--key der.key.bin")),
    FaultRow(
      62, "A key that is locked with a password", "Asks for the password by file or variable",
      refused("without the password", "--key locked.p8", "encrypted with a password"),
      refused(
        "with a wrong one", "--key locked.p8 --key-password-file other-password",
        "does not open the key"),
      taken("with the password", "--key locked.p8 --key-password-file password")),
    FaultRow(
      63, "A .p12 in the old encryption", "Opens it, and warns",
      taken("", "--cert legacy.p12 --cert-password-file password", says: "no longer safe")),
    FaultRow(
      64, "A .p12 with another password, or cut off", "Tells one from the other",
      refused(
        "another password", "--cert aes.p12 --cert-password-file other-password",
        "does not open it"),
      refused(
        "cut off", "--cert cut.p12 --cert-password-file password", "truncated or damaged")),
    FaultRow(
      65, "A certificate without its key, or with another's", "Says which is missing",
      refused(
        "without", "--cert keyless.p12 --cert-password-file password", "no private key"),
      refused(
        "another's", "--cert shop.pem --cert-key mdm.key", "does not belong to the certificate")),
    FaultRow(
      66, "A key file that others can read or change", "Warns of the one, refuses the other",
      taken("read", "--key good.p8", mode: 0o644, says: "good.p8"),
      refused("change", "--key good.p8", "is writable by other users", mode: 0o666)),
    FaultRow(
      92, "A client certificate that is for something else",
      "Says what it is for, before anything is connected",
      refused("a web server's", "--cert web.pem --cert-key web.key", "it cannot send pushes"),
      refused("a developer's", "--cert signing.pem --cert-key signing.key", "cannot send pushes"),
      refused("another app's", "--cert other.pem --cert-key other.key", "not for", code: 2),
      refused("for device management", "--cert mdm.pem --cert-key mdm.key", "not for", code: 2),
      refused(
        "for calls", "--cert voip.pem --cert-key voip.key", "no topic for alert", code: 2)),
  ]

  private static let ids = " --key-id ABC123DEFG --team-id DEF123GHIJ"

  private static func refused(
    _ name: String, _ words: String, _ causes: String..., requests: Int = 0, mode: Int = 0o600,
    code: Int32 = 3
  ) -> FaultCase {
    .program(.nothingSent, name, fault: .elsewhere) { bench in
      bench.books.causes = ["exit code \(code)"] + causes
      bench.books.requestsAllowed = requests
      try bench.sendToOne(words, mode)
    }
  }

  private static func taken(
    _ name: String, _ words: String, mode: Int = 0o600, says text: String = ""
  ) -> FaultCase {
    .program(.exactlyOnce, name, fault: .elsewhere) { bench in
      let result = try bench.sendToOne(words, mode)
      #expect(result.exitCode == 0 && (text.isEmpty || result.errors.contains(text)))
    }
  }
}

extension ProgramBench {
  @discardableResult
  fileprivate func sendToOne(_ words: String, _ mode: Int) throws -> Program.Result {
    let folder = fanfare.folder
    _ = try CredentialWorkshop(in: folder)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.file("good.p8"))
    let ids = words.contains("--key ") ? "--key-id ABC123DEFG --team-id DEF123GHIJ" : ""
    return try send(to: 1...1, "--to \(tokenText(1)) --bundle-id com.example.shop \(words) \(ids)")
  }
}
