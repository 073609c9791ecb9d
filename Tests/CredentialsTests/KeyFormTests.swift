import COpenSSL
import Credentials
import Foundation
import TestSupport
import Testing

/// The `openssl` command makes every kind of file that people give as a key.
@Suite("The forms of a signing key", .timeLimit(.minutes(15)))
struct KeyFormTests {
  /// How a file is made of `AuthKey.p8`, and what comes of it.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    /// Arguments of `openssl` that write the file `key`.
    let command: String
    var password: String?
    /// nil when the key is taken.
    var error: SigningKeyError?

    init(
      _ name: String, _ command: String, password: String? = nil, _ error: SigningKeyError? = nil
    ) {
      (testDescription, self.command, self.password, self.error) = (name, command, password, error)
    }
  }

  private static let lock = "pkcs8 -topk8 -in AuthKey.p8 -passout pass:x -out key"
  private static let p384 = "-algorithm EC -pkeyopt ec_paramgen_curve:P-384"
  private static let request = "req -new -key AuthKey.p8 -subj /CN=x -out key"

  static let good = [
    Row("PKCS#8", "pkey -in AuthKey.p8 -out key"),
    Row("PKCS#8 in DER", "pkcs8 -topk8 -nocrypt -in AuthKey.p8 -outform DER -out key"),
    Row("EC PRIVATE KEY", "ec -in AuthKey.p8 -out key"),
    Row("the same in DER", "ec -in AuthKey.p8 -outform DER -out key"),
    Row("with EC PARAMETERS", "ecparam -name prime256v1 -genkey -out key"),
    Row("the same without", "ecparam -name prime256v1 -genkey -noout -out key"),
    Row("without its public half", "ec -in AuthKey.p8 -no_public -out key"),
    Row("PBES2 with AES-256", "\(lock)", password: "x"),
    Row("PBES2 with 3DES", "\(lock) -v2 des3", password: "x"),
    Row("PBES2 with SHA-1", "\(lock) -v2 aes-128-cbc -v2prf hmacWithSHA1", password: "x"),
    Row("scrypt", "\(lock) -scrypt", password: "x"),
    Row("PBES1 with 3DES", "\(lock) -v1 PBE-SHA1-3DES", password: "x"),
    Row("PBES2 in DER", "\(lock) -outform DER", password: "x"),
    Row("Proc-Type", "ec -in AuthKey.p8 -aes128 -passout pass:x -out key", password: "x"),
    Row("not locked, with a password", "pkey -in AuthKey.p8 -out key", password: "x"),
  ]

  static let bad = [
    Row("locked", lock, .encrypted),
    Row("locked in DER", "\(lock) -outform DER", .encrypted),
    Row("Proc-Type", "ec -in AuthKey.p8 -aes128 -passout pass:x -out key", .encrypted),
    Row("another password", lock, password: "y", .wrongPassword),
    Row("another password in DER", "\(lock) -outform DER", password: "y", .wrongPassword),
    Row("an empty password", lock, password: "", .wrongPassword),
    Row(
      "another password of Proc-Type", "ec -in AuthKey.p8 -aes128 -passout pass:x -out key",
      password: "y", .wrongPassword),
    Row("P-384", "genpkey \(p384) -out key", .wrongCurve("secp384r1")),
    Row("P-384 in DER", "genpkey \(p384) -outform DER -out key", .wrongCurve("secp384r1")),
    Row(
      "EC PRIVATE KEY on P-384", "ecparam -name secp384r1 -genkey -noout -out key",
      .wrongCurve("secp384r1")),
    Row(
      "secp256k1", "ecparam -name secp256k1 -genkey -noout -out key", .wrongCurve("secp256k1")),
    Row(
      "RSA", "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out key",
      .wrongAlgorithm("RSA")),
    Row("RSA PRIVATE KEY", "genrsa -traditional -out key 1024", .wrongAlgorithm("RSA")),
    Row(
      "RSA in DER", "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -outform DER -out key",
      .wrongAlgorithm("RSA")),
    Row(
      "DSA", "dsaparam -genkey -out key 1024",
      .wrongBlock(label: "DSA PARAMETERS")),
    Row("Ed25519", "genpkey -algorithm ED25519 -out key", .wrongAlgorithm("ED25519")),
    Row(
      "Ed25519 in DER", "genpkey -algorithm ED25519 -outform DER -out key",
      .wrongAlgorithm("ED25519")),
    Row("public", "pkey -in AuthKey.p8 -pubout -out key", .publicKey),
    Row("public in DER", "pkey -in AuthKey.p8 -pubout -outform DER -out key", .publicKey),
    Row("certificate", "\(request) -x509", .certificate),
    Row("certificate in DER", "\(request) -x509 -outform DER", .certificate),
    Row("request", request, .certificateRequest),
    Row("request in DER", "\(request) -outform DER", .certificateRequest),
    Row(
      "PKCS#12", "pkcs12 -export -inkey AuthKey.p8 -in certificate.pem -passout pass:x -out key",
      .pkcs12),
    Row(
      "EC PARAMETERS", "ecparam -name prime256v1 -out key", .wrongBlock(label: "EC PARAMETERS")),
    Row("another block", "crl2pkcs7 -nocrl -out key", .wrongBlock(label: "PKCS7")),
  ]

  @Test("Good ones are taken", arguments: good)
  func isTaken(_ row: Row) throws {
    #expect(try Self.fault(of: Self.file(row), password: row.password) == nil)
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test("Each wrong kind is told apart", arguments: bad)
  func isRefused(_ row: Row) throws {
    let file = try Self.file(row)
    #expect(Self.fault(of: file, password: row.password) == row.error)
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test("Good and wrong ones are what they are in base64 without dashes too", arguments: good + bad)
  func base64(_ row: Row) throws {
    let data = Data(try Self.file(row))
    for options: Data.Base64EncodingOptions in [[], .lineLength64Characters] {
      let text = Array(data.base64EncodedString(options: options).utf8)
      #expect(Self.fault(of: text, password: row.password) == row.error)
    }
  }

  @Test(
    "Line ends that became something else do not matter",
    arguments: ["\r\n", "\r", " ", "\\n", "\\r\\n", "", "\t "],
    [
      "pkey -in AuthKey.p8 -out key", "ec -in AuthKey.p8 -out key", lock,
      "ecparam -name prime256v1 -genkey -out key",
    ])
  func lineEnds(_ end: String, _ command: String) throws {
    let text = String(decoding: try Self.file(Row("", command)), as: UTF8.self)
    let folded = text.replacing("\n", with: end)
    for form in [folded, "\"\(folded)\"", "\u{FEFF}\(folded)"] {
      #expect(Self.fault(of: Array(form.utf8), password: "x") == nil, "\(form)")
    }
  }

  @Test("The locked form that PEM used to have survives \\n")
  func oldLock() throws {
    let command = "ec -in AuthKey.p8 -aes128 -passout pass:x -out key"
    let text = String(decoding: try Self.file(Row("", command)), as: UTF8.self)
    let folded = Array(text.replacing("\n", with: "\\n").utf8)
    #expect(Self.fault(of: folded, password: "x") == nil)
  }

  @Test(
    "A lock that this OpenSSL cannot open is named",
    arguments: [("DES-CBC, MD5", "2A864886F70D010503"), ("?", "2A864886F70D010563")])
  func unsupportedLock(_ row: (name: String, object: String)) throws {
    // EncryptedPrivateKeyInfo (RFC 5208): the cipher with salt and rounds, then what it hides.
    let salt = "300E" + "04080102030405060708" + "02020800"
    let file = Data(hex: "3027" + "301B" + "0609" + row.object + salt + "04080102030405060708")
    let error = Self.fault(of: [UInt8](file), password: "x")
    guard case .unsupportedEncryption(let name)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(row.name == "?" ? name.hasPrefix("1.2.840") : name == row.name)
  }

  @Test("A key is read in UTF-16, in base64 of base64, and with line ends escaped several times")
  func wrapped() throws {
    let folder = try KeptFolder.withKey()
    let pem = String(decoding: try folder.bytes("AuthKey.p8"), as: UTF8.self)
    let units = Array(pem.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let twice = Data(Data(pem.utf8).base64EncodedString().utf8).base64EncodedString()
    let texts = [
      twice, pem.replacing("\n", with: #"\\n"#), pem.replacing("\n", with: #"\\\n"#),
    ]
    let marked: [[UInt8]] = [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big]
    let forms: [[UInt8]] = [little, big] + marked + texts.map { Array($0.utf8) }
    let plain = try SigningKey(contents: SecretBytes(pem)).publicKeyDER()
    for form in forms {
      let key = try SigningKey(contents: secretBytes(form))
      #expect(try key.publicKeyDER() == plain, "\(form.prefix(20))")
    }
  }

  @Test(
    "Text that is no key is told apart",
    arguments: [
      ("", SigningKeyError.empty), (" \r\n\t", .empty), ("AuthKey.p8", .notPEM),
      ("----- BEGIN PRIVATE KEY-----\nMIGH\n", .notPEM),
      ("<!DOCTYPE html><title>Sign In</title>", .webPage), ("\n <html>", .webPage),
      ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJBIn0.AAAA", .providerToken),
      ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me", .sshKey),
      ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n", .sshKey),
      ("PuTTY-User-Key-File-3: ssh-rsa", .sshKey),
      (
        "-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n",
        .wrongAlgorithm("DSA")
      ),
      ("a\u{0}b", .notText), ("-----BEGIN PRIVATE KEY-----", .broken(label: "PRIVATE KEY")),
      (
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        .broken(label: "PRIVATE KEY")
      ),
      (
        "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n",
        .broken(label: "EC PRIVATE KEY")
      ),
      ("-----BEGIN CERTIFICATE-----\n!\n", .certificate),
      ("0\u{1}\u{2}", .broken(label: nil)),
    ])
  func noKey(_ text: String, _ error: SigningKeyError) {
    #expect(Self.fault(of: Array(text.utf8)) == error)
    #expect(ERR_peek_error() == 0, "OpenSSL's queue is left clean")
  }

  @Test("DER that is cut off anywhere is refused and never crashes", arguments: good)
  func cutOff(_ row: Row) throws {
    let file = try Self.file(row)
    for count in stride(from: 0, to: file.count - 1, by: 7) {
      let fault = Self.fault(of: Array(file[..<count]), password: row.password)
      // The public half stands last, and is not needed.
      if row.testDescription.contains("DER") || count < 60 { #expect(fault != nil, "\(count)") }
    }
  }

  @Test("A number that is none of the curve's is refused", arguments: [UInt8(0), 0xFF])
  func outOfRange(_ byte: UInt8) throws {
    let number = [UInt8](repeating: byte, count: 32)
    #expect(Self.fault(of: [0x30, 0x25, 2, 1, 1, 4, 0x20] + number) != nil)
  }

  @Test("Whether a key is locked is told without its password")
  func locked() throws {
    for row in Self.good {
      let isLocked = SigningKey.isLocked(SecretBytes(bytes: try Self.file(row)))
      let isNamedSo = row.password != nil && !row.testDescription.hasPrefix("not locked")
      #expect(isLocked == isNamedSo, "\(row)")
    }
    #expect(!SigningKey.isLocked(SecretBytes("no key")))
  }

  private static func fault(of bytes: [UInt8], password: String? = nil) -> SigningKeyError? {
    do throws(SigningKeyError) {
      _ = try SigningKey(
        contents: SecretBytes(bytes: bytes), password: password.map { SecretBytes($0) })
      return nil
    } catch {
      return error
    }
  }

  private static func file(_ row: Row) throws -> [UInt8] {
    let folder = try KeptFolder.withKey()
    if row.command.contains("certificate.pem") {
      try openssl(
        "req", "-x509", "-new", "-key", "AuthKey.p8", "-subj", "/CN=x", "-out", "certificate.pem",
        in: folder)
    }
    try runOpenSSL(row.command.split(separator: " ").map(String.init), in: folder)
    return try folder.bytes("key")
  }
}

extension Data {
  fileprivate init(hex: String) {
    let digits = Array(hex.utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
    self.init(bytes)
  }
}
