import Foundation
import JSONText
import Reporting
import TestSupport
import Testing

@Suite("What a file is")
struct InspectKindTests {
  /// How a file is made of those in the workshop, and what is told of it.
  struct Row: Sendable, CustomStringConvertible {
    var name: String
    var openssl: String?
    var text: String?
    /// What the object of `--json` holds.
    var members: [String: JSON]

    var description: String { name }
  }

  private static let key = InspectWorkshop.key
  private static let lock = "-passout pass:x -out"

  static let keys: [Row] = [
    Row(
      name: key,
      members: [
        "kind": "private key", "form": "PKCS#8", "encoding": "PEM", "algorithm": "EC P-256",
        "signsProviderTokens": true, "keyID": "ABC123DEFG", "lockedWith": nil, "problem": nil,
        "mode": "0600", "readableByOthers": false, "writableByOthers": false,
      ]),
    Row(
      name: "k.der", openssl: "pkcs8 -topk8 -nocrypt -outform DER -in \(key) -out k.der",
      members: ["form": "PKCS#8", "encoding": "DER", "signsProviderTokens": true, "keyID": nil]),
    Row(
      name: "sec1.key", openssl: "ec -in \(key) -out sec1.key",
      members: ["form": "SEC1", "encoding": "PEM", "signsProviderTokens": true]),
    Row(
      name: "b64.txt", openssl: "base64 -in \(key) -out b64.txt",
      members: ["encoding": "base64", "form": "PKCS#8", "signsProviderTokens": true]),
    Row(
      name: "l.p8", openssl: "pkcs8 -topk8 -in \(key) -iter 1000 \(lock) l.p8",
      members: [
        "kind": "private key", "algorithm": nil, "signsProviderTokens": nil,
        "lockedWith": "AES-256-CBC, PBKDF2", "iterations": 1000, "publicKeySHA256": nil,
        "problem": "The key is encrypted with a password.",
      ]),
    Row(
      name: "l.der", openssl: "pkcs8 -topk8 -outform DER -in \(key) -scrypt \(lock) l.der",
      members: ["lockedWith": "AES-256-CBC, id-scrypt", "iterations": 0, "encoding": "DER"]),
    Row(
      name: "old.key", openssl: "ec -in \(key) -aes128 \(lock) old.key",
      members: ["form": "SEC1", "lockedWith": "AES-128-CBC", "algorithm": nil]),
    Row(
      name: "r.key", openssl: "rsa -traditional -in push.key -out r.key",
      members: [
        "form": "traditional", "algorithm": "RSA 2048", "signsProviderTokens": false,
        "problem": "This key is for RSA, not for elliptic curves.",
      ]),
    Row(
      name: "p384.key",
      openssl: "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.key",
      members: [
        "algorithm": "EC P-384", "signsProviderTokens": false,
        "problem": "The key is on the curve secp384r1, not on P-256.",
      ]),
    Row(
      name: "ed.key", openssl: "genpkey -algorithm ED25519 -out ed.key",
      members: ["algorithm": "ED25519", "signsProviderTokens": false]),
  ]

  static let others: [Row] = [
    Row(
      name: "push.pem",
      members: [
        "kind": "certificates", "signsIn": false, "isLocked": false, "keys": [], "certificate": nil,
        "encryption": nil,
        "problem":
          "It has no private key for the certificate Apple Push Services: com.example.shop.",
      ]),
    Row(
      name: "push.der", openssl: "x509 -in push.pem -outform DER -out push.der",
      members: ["kind": "certificates", "signsIn": false]),
    Row(
      name: "list.dat", text: "# beta\n0a1b2c3d4e5f60718293\n0A1B2C3D4E5F60718293\nx\n",
      members: [
        "kind": "device tokens", "format": "txt", "lines": 3, "tokens": 1, "duplicates": 1,
        "badLines": 1, "lengths": [["digits": 20, "tokens": 1]], "columns": [],
        "firstBadLines": [
          ["line": 4, "problem": "'x' at position 1 is not a hexadecimal digit"]
        ],
      ]),
    Row(
      name: "table", text: "name;\"token\"\nAda;0a1b2c3d\nBob;0a1b\n",
      members: [
        "kind": "device tokens", "format": "csv", "tokens": 2, "columns": ["name", "token"],
      ]),
    Row(
      name: "rows", text: "{\"token\": \"0a1b\", \"n\": 1}\n{\"token\": 7}\n",
      members: ["format": "jsonl", "tokens": 1, "badLines": 1, "columns": ["token", "n"]]),
    Row(name: "few.txt", text: "0a1b\n", members: ["kind": "device tokens", "tokens": 1]),
    Row(name: "p", text: "{\"aps\": {}}", members: ["kind": "payload", "bytes": 10]),
  ]

  @Test("is told by what stands in it", arguments: keys + others)
  func kinds(_ row: Row) throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      if let words = row.openssl { try workshop.openssl(words) }
      if let text = row.text { try folder.write(row.name, text) }
      let result = try workshop.inspect("--json", row.name)
      #expect(result.code == .success, "\(result.errors)")
      let object = try #require(try result.objects().first?.object)
      for (key, value) in row.members { #expect(object[key] == value, "\(key)") }
      #expect(try workshop.inspect(row.name).code == .success)
    }
  }

  static let strangers: [(name: String, openssl: String?, text: String?, says: String)] = [
    ("a.pem", "pkey -in \(key) -pubout -out a.pem", nil, "This is a public key."),
    ("a.der", "pkey -in \(key) -pubout -outform DER -out a.der", nil, "This is a public key."),
    ("push.csr", nil, nil, "This is a certificate signing request."),
    ("a.p7b", "crl2pkcs7 -nocrl -certfile push.pem -out a.p7b", nil, "a signed message"),
    (key, nil, "<!DOCTYPE html><title>Sign in</title>", "a web page"),
    ("a.plist", nil, "<?xml version=\"1.0\"?><plist/>", "a property list"),
    ("ssh", nil, "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n", "an SSH key"),
    ("ssh.pub", nil, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me", "an SSH key"),
    ("crl", nil, "-----BEGIN X509 CRL-----\nMIIB\n", "a 'X509 CRL'"),
    ("a.png", nil, "GIF89a", "a GIF picture"), ("a.zip", nil, "PK\u{3}\u{4}", "a ZIP archive"),
    ("empty.p8", nil, "", "The file is empty."), ("blank", nil, " \n\t", "file is empty"),
    ("notes", nil, "Dear all,\n", "text is not in a format that fanfare knows"),
    ("bytes", nil, "\u{1}\u{2}", "not in a format that fanfare knows"),
    ("cut.p8", nil, "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n", "truncated or damaged"),
    ("cut.pem", nil, "-----BEGIN CERTIFICATE-----\nMIIB\n", "truncated or damaged"),
    ("cut.p12", nil, "0\u{6}\u{2}\u{1}\u{3}0\u{1}\u{0}", "truncated or damaged"),
    ("token", nil, "eyJhbGciOiJFUzI1NiJ9.e30", "it has 2 dot-separated parts"),
    ("a.json", nil, "{", "Unexpected end of text"), ("a.txt", nil, "Dear all,\n", ""),
  ]

  @Test("is told too when it is nothing of use, with what to do", arguments: strangers)
  func stranger(_ row: (name: String, openssl: String?, text: String?, says: String)) throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      if let words = row.openssl { try workshop.openssl(words) }
      if let text = row.text { try folder.write(row.name, text) }
      let result = try workshop.inspect("--json", row.name)
      if row.name == "a.txt" { return #expect(result.code == .success) }
      #expect(result.code == .usage)
      #expect(result.errors.contains(row.says), "\(result.errors)")
      let object = try #require(try result.objects().first)
      #expect(object["kind"] == "unknown" && object["problem"]?.string?.isEmpty == false)
    }
  }

  @Test("cannot be told where there is nothing to be read")
  func unreadable() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
      try folder.makeFolder("folder")
      try folder.write("huge.p8", String(repeating: "x", count: 1 << 20) + "y")
      let result = try workshop.inspect("pipe", "folder", "missing", "huge.p8", "/dev/null")
      #expect(result.code == .usage)
      #expect(result.output.isEmpty)
      let says = ["a named pipe", "is a folder", "does not exist", "larger than 1,048,576 bytes"]
      for text in says { #expect(result.errors.contains(text), "\(result.errors)") }
    }
  }

  @Test("does not keep the others from being told")
  func several() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      let result = try workshop.inspect("--json", "missing", InspectWorkshop.key)
      #expect(result.code == .usage)
      #expect(try result.objects().map { $0["kind"]?.string } == ["unknown", "private key"])
    }
  }
}
