import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Every kind of key and certificate, used at the command line against a strict emulator.
@Suite("Credentials at the command line")
struct CredentialTests {
  @Test("a clock that is ahead is named as the cause of what it causes", arguments: [1, 5])
  func clockAhead(_ count: Int) throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      (configuration.clockOffset, configuration.sendsDate) = (-90 * 60, true)
      let server = try Server(fanfare, configuration)
      let sent = try server.send(words: (1...count).flatMap { ["--to", tokenText($0)] })
      #expect(sent.exitCode == 3, "\(sent)")
      let told = sent.output + sent.errors
      #expect(told.contains("InvalidProviderToken") && told.contains("Set the clock"), "\(told)")
      #expect(!told.contains("swapped"), "\(told)")
      let isLikeliest = told.contains("Most likely: This machine's clock is ahead")
      #expect(isLikeliest || count > 1, "\(told)")
    }
  }

  /// What is given, how it ends, and what is said. `@` stands for the options with the password.
  struct Row {
    let words: String
    var variables: [String: String] = [:]
    let code: Int32
    var says: [String] = []

    init(_ words: String, _ variables: [String: String] = [:], _ code: Int32, _ says: String...) {
      (self.words, self.variables, self.code, self.says) = (words, variables, code, says)
    }
  }

  static let ids = "--key-id ABC123DEFG --team-id DEF123GHIJ"
  static let shop = "--bundle-id com.example.shop"

  static let keys = [
    Row("--key good.p8", 0), Row("--key sec1.p8", 0), Row("--key parameters.p8", 0),
    Row("--key der.key.bin", 0), Row("--key base64.p8", 0),
    Row("--key wide.p8", 0), Row("--key twice.p8", 0),
    Row("--key spaced.p8", 3, "it has no '-----BEGIN PRIVATE KEY-----' line"),
    Row("--key locked.p8 --key-password-file password", 0),
    Row("--key locked.p8 --key-password-file marked-password", 0),
    Row("--key locked.p8", ["FANFARE_KEY_PASSWORD": CredentialWorkshop.password + "\n"], 0),
    Row("--key locked.p8", ["FANFARE_KEY_PASSWORD": CredentialWorkshop.password], 0),
    Row("--key locked.p8", 3, "encrypted with a password", "--key-password-file"),
    Row("--key locked.p8 --key-password-file other-password", 3, "does not open the key"),
    Row("--key rsa.p8", 3, "key is for RSA", "AuthKey_"),
    Row("--key p384.p8", 3, "secp384r1, not on P-256"),
    Row("--key ed25519.p8", 3, "key is for ED25519"), Row("--key public.pem", 3, "a public key"),
    Row("--key request.pem", 3, "a certificate signing request"),
    Row("--key shop.pem", 3, "a certificate", "--cert"),
    Row("--key aes.p12", 3, "a PKCS#12 file", "--cert"),
    Row("--key cut.p8", 3, "truncated or damaged"), Row("--key empty.p8", 3, "is empty"),
    Row("--key page.p8", 3, "a web page"), Row("--key folder.p8", 3, "is a folder"),
    Row("--key pipe.p8", 3, "named pipe"), Row("--key none.p8", 2, "does not exist"),
  ]

  static let certificates = [
    Row("--cert aes.p12 @", 0, "topic: com.example.shop, from the certificate"),
    Row("--cert legacy.p12 @", 0, "RC2-40-CBC and 3DES, which is no longer safe", "inspect"),
    Row("--cert base64.p12 @", 0), Row("--cert open.p12", 0), Row("--cert both.pem", 0),
    Row("--cert shop.pem --cert-key shop.key", 0),
    Row("--cert shop.pem --cert-key locked.key @", 0),
    Row("--cert aes.p12", ["FANFARE_CERT_PASSWORD": CredentialWorkshop.password], 0),
    Row("--cert aes.p12", ["FANFARE_CERT_PASSWORD": "\u{FEFF}\(CredentialWorkshop.password)\n"], 0),
    Row("--cert both.pem @", 0, "it is not encrypted", "Omit --cert-password-file"),
    Row("--cert aes.p12", 3, "aes.p12: It is encrypted with a password.", "--cert-password-file"),
    Row("--cert shop.pem --cert-key locked.key", 3, "locked.key: It is encrypted"),
    Row("--cert aes.p12 --cert-password-file other-password", 3, "does not open it"),
    Row("--cert aes.p12 --cert-password-file none", 2, "password file none does not exist"),
    Row("--cert cut.p12 @", 3, "truncated or damaged"),
    Row("--cert keyless.p12 @", 3, "no private key for the certificate Apple Push Services"),
    Row("--cert shop.pem", 3, "no private key", "--cert-key"),
    Row("--cert shop.pem --cert-key mdm.key", 3, "does not belong to the certificate"),
    Row("--cert shop.pem --cert-key public.pem", 3, "public.pem: "),
    Row("--cert good.p8", 3, "a signing key, not a client certificate", "--key"),
    Row("--cert request.pem", 3, "a certificate signing request, not a client certificate"),
    Row("--cert empty.p8", 3, "is empty"), Row("--cert page.p8", 3, "a web page"),
    Row("--cert folder.p8", 3, "is a folder"), Row("--cert pipe.p8", 3, "named pipe"),
    Row("--cert none.p12", 2, "The certificate file none.p12 does not exist."),
    Row("--cert weak.pem --cert-key weak.key", 3, "ee key too small"),
    Row("--cert expired.pem --cert-key expired.key", 3, "expired on 2021-01-01"),
    Row("--cert expired.pem --cert-key expired.key --force", 3, "BadCertificate"),
    Row("--cert future.pem --cert-key future.key", 3, "not valid before 2048-01-01", "date -u"),
    Row("--cert signing.pem --cert-key signing.key", 3, "it cannot send pushes"),
    Row("--cert production.pem --cert-key production.key", 3, "BadCertificateEnvironment"),
    Row("--cert sandbox.pem --cert-key sandbox.key", 0),
    Row("--cert both.pem --bundle-id com.example.other", 2, "is for com.example.shop", "not for"),
    Row("--cert both.pem --bundle-id com.example.other --force", 1, "TopicDisallowed"),
    Row("--cert web.pem --cert-key web.key", 3, "it cannot send pushes"),
    Row("--cert web.pem --cert-key web.key \(shop)", 3, "it cannot send pushes"),
    Row("--cert vendor.pem --cert-key vendor.key", 3, "MDM vendor", "identity.apple.com/pushcert"),
    Row("--cert call.pem --cert-key call.key", 2, "no topic for alert", "com.example.shop.voip"),
    Row("--cert call.pem --cert-key call.key --type voip", 0),
    Row("--cert both.pem --type liveactivity", 2, "APNs may not take liveactivity"),
    Row("--cert other.pem --cert-key other.key", 0, "topic: com.example.other"),
    Row("--cert other.pem --cert-key other.key \(shop)", 2, "for com.example.other, not for"),
    Row("--cert mdm.pem --cert-key mdm.key", 2, "no topic for alert"),
    Row("--cert mdm.pem --cert-key mdm.key \(shop)", 2, "External.0815, not for com.example"),
    Row("--cert voip.pem --cert-key voip.key", 2, "no topic for alert", "com.example.shop.voip"),
    Row("--cert voip.pem --cert-key voip.key \(shop)", 2, "no topic for alert", "--key"),
    Row("--cert voip.pem --cert-key voip.key --type voip", 0),
    Row("--cert both.pem --type voip", 0, "topic: com.example.shop.voip"),
    Row("--cert both.pem --type complication", 2, "has no topic for complication", "--key"),
    Row("--cert both.pem --type location", 2, "location cannot be sent with a client certificate"),
    Row("--cert both.pem --key good.p8", 2, "'--key' and '--cert' cannot be used together"),
    Row("--cert both.pem --team-id DEF123GHIJ", 2, "cannot be used together"),
    Row("--cert-key shop.key", 2, "--cert-key needs a certificate: give --cert too."),
  ]

  static let variables = [
    Row("", ["FANFARE_CERT": "both.pem"], 0), Row("", ["FANFARE_CERT": "$both.pem"], 0),
    Row("", ["FANFARE_CERT": "\\both.pem"], 0), Row("@", ["FANFARE_CERT": "$base64.p12"], 0),
    Row("", ["FANFARE_CERT": "none.p12"], 2, "The certificate file none.p12 does not exist."),
    Row("", ["FANFARE_CERT": "both.pem", "FANFARE_KEY": "good.p8"], 2, "cannot be used together"),
    Row("--cert open.p12", ["FANFARE_KEY": "good.p8"], 0),
    Row("--key good.p8 \(ids) --bundle-id a.b", ["FANFARE_CERT": "none.p12"], 0),
    Row("\(ids) --bundle-id a.b", ["FANFARE_KEY": "$good.p8"], 0),
    Row("\(ids) --bundle-id a.b", ["FANFARE_KEY": "$twice.p8"], 0),
    Row(
      "\(ids) --bundle-id a.b", ["FANFARE_KEY": "$spaced.p8"], 3, "FANFARE_KEY: This is not a key"),
    Row(
      "--bundle-id a.b",
      [
        "FANFARE_KEY": "good.p8\n", "FANFARE_KEY_ID": "\u{FEFF}ABC123DEFG\r\n",
        "FANFARE_TEAM_ID": "DEF123GHIJ\n",
      ], 0),
    Row("\(ids) --bundle-id a.b", 2, "--key-id needs a key: give --key too."),
  ]

  @Test("each end in success or in the one right message, and tell no secret")
  func table() throws {
    try withFanfare { fanfare in
      let workshop = try CredentialWorkshop(in: fanfare.folder)
      let server = try Server(fanfare)
      let secrets = try workshop.secrets()
      #expect(secrets.count > 20)
      for row in Self.keys.map({ $0.adding("\(Self.ids) --bundle-id com.example.shop") })
        + Self.certificates + Self.variables
      {
        let before = server.emulator.requestCount
        let result = try send(row, to: server, "--verbose")
        #expect(result.exitCode == row.code, "\(row.words) \(row.variables) \(result.errors)")
        let text = result.output + result.errors
        for part in row.says { #expect(text.contains(part), "\(row.words): \(text)") }
        #expect(!secrets.contains { text.contains($0) }, "\(row.words)")
        let isForced = row.words.contains("--force") || text.contains("BadCertificateEnvironment")
        #expect((server.emulator.requestCount > before) == (row.code == 0 || isForced))
      }
    }
  }

  private func send(
    _ row: Row, to server: Server, _ more: String...
  ) throws -> Program.Result {
    let folder = server.fanfare.folder
    let words = row.words.replacing("@", with: "--cert-password-file password")
    let variables = try row.variables.mapValues { value in
      if value.hasPrefix("$") { return try folder.text(String(value.dropFirst())) }
      guard value.hasPrefix("\\") else { return value }
      return try folder.lines(String(value.dropFirst())).joined(separator: "\\n")
    }
    let common = ["send", "--title", "Hello", "--to", device("0a1b")] + server.place + more
    return try server.fanfare.run(
      common + words.split(separator: " ").map(String.init), environment: variables)
  }

  @Test(
    "for one environment are refused for the other before anything is connected",
    arguments: [("sandbox", "production"), ("production", "sandbox")])
  func environment(_ row: (certificate: String, environment: String)) throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      let result = try fanfare.run(
        [
          "send", "--env", row.environment, "--title", "Hello", "--to", device("0a1b"), "--cert",
          "\(row.certificate).pem", "--cert-key", "\(row.certificate).key",
          // Nobody listens there: whoever connects is found out.
          "--proxy", "http://127.0.0.1:1",
        ])
      #expect(result.exitCode == 3)
      #expect(
        result.errors.contains("is for \(row.certificate), not for \(row.environment)."))
      #expect(result.errors.contains("--env \(row.certificate)"))
      #expect(!result.errors.contains("proxy"))
    }
  }

  @Test("for production are taken by the emulator, which then stands for that")
  func emulated() throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      for name in ["sandbox", "production"] {
        let words = ["--cert", "\(name).pem", "--cert-key", "\(name).key"]
        let send = ["send", "--env", "emulator", "--title", "Hi", "--to", device("0a1b")]
        #expect(try fanfare.run(send + words).exitCode == 0)
      }
    }
  }

  @Test("of device management give the topic, and no bundle id comes in between")
  func management() throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      let server = try Server(fanfare)
      try fanfare.folder.write("mdm.json", #"{"mdm": "PushMagic"}"#)
      let result = try fanfare.run(
        [
          "send", "--payload", "mdm.json", "--to", device("0a1b"), "--cert", "mdm.pem",
          "--cert-key",
          "mdm.key", "--verbose",
        ] + server.place, environment: ["FANFARE_BUNDLE_ID": "com.example.shop"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("topic: com.apple.mgmt.External.0815, from the certificate"))
    }
  }

  static let scenarios = [
    (#"{cert: "../shop.pem", certKey: "../shop.key"}"#, Int32(0), "certificate: "),
    (#"{cert: "../aes.p12", passwordFile: "../password"}"#, 0, "topics: com.example.shop"),
    (#"{cert: {env: "MY_CERT"}, passwordFile: {env: "MY_PASSWORD"}}"#, 0, "(from "),
    (#"{cert: "../aes.p12", passwordFile: {env: "NONE"}}"#, 2, "NONE is not set"),
    (
      #"{key: "../locked.p8", keyID: "ABC123DEFG", teamID: "DEF123GHIJ", passwordFile: "../password"}"#,
      0, "team ID: DEF123GHIJ"
    ),
    (#"{cert: "../shop.pem", key: "../good.p8"}"#, 2, "'key' and 'cert' cannot be used"),
    (#"{cert: "../shop.pem", certkey: "../shop.key"}"#, 2, "Did you mean 'certKey'?"),
    (#"{cert: 4}"#, 2, "'cert' is a number, not text"),
    (#"{cert: "../expired.pem", certKey: "../expired.key"}"#, 3, "expired on 2021-01-01"),
  ]

  @Test("of a scenario are taken from its folder or from the variables it names")
  func scenario() throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      let server = try Server(fanfare)
      try fanfare.folder.makeFolder("s")
      let variables = [
        "MY_CERT": "aes.p12", "MY_PASSWORD": CredentialWorkshop.password,
        "FANFARE_CERT": "none.p12",
      ]
      for (credentials, code, says) in Self.scenarios {
        let text = """
          {environment: {server: "\(server.emulator.url)", ca: "../ca.pem"}, recipients: ["\(device("0a1b"))"],
           bundleID: "com.example.shop", credentials: \(credentials),
           notification: {payload: {aps: {alert: "Hi"}}}}
          """
        try fanfare.folder.write("s/a.json5", text)
        let result = try fanfare.run(["run", "s/a.json5", "-v"], environment: variables)
        #expect(result.exitCode == code, "\(credentials): \(result.errors)")
        #expect(result.errors.contains(says), "\(credentials): \(result.errors)")
        // Nothing is read to check it: only the form can be wrong.
        let isForm = code == 2 && !credentials.contains("NONE")
        #expect(try fanfare.run(["check", "s/a.json5"]).exitCode == (isForm ? 2 : 0))
      }
    }
  }

  @Test("that are a certificate sign no provider tokens", arguments: ["--cert", "FANFARE_CERT"])
  func token(_ name: String) throws {
    try withFanfare { fanfare in
      let words = name.hasPrefix("--") ? [name, "none.p12"] : []
      let result = try fanfare.run(["token"] + words, environment: ["FANFARE_CERT": "none.p12"])
      #expect(result.exitCode == 2)
      #expect(result.errors.contains("\(name) names a client certificate"))
    }
  }

  @Test("go into no key log, unless that is asked for")
  func keyLog() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let send =
        ["send", "--title", "Hi", "--to", device("0a1b"), "--bundle-id", "a.b"] + server.place
        + credentials
      let log = ["SSLKEYLOGFILE": fanfare.folder.file("keys.log")]
      let refused = try fanfare.run(send, environment: log)
      #expect(refused.exitCode == 2 && refused.errors.contains("SSLKEYLOGFILE is set"))
      #expect(refused.errors.contains("--tls-key-log") && server.emulator.connectionCount == 0)
      #expect(try !fanfare.folder.names().contains("keys.log"))
      #expect(try fanfare.run(send, environment: ["SSLKEYLOGFILE": ""]).exitCode == 0)
      let allowed = try fanfare.run(send + ["--tls-key-log"], environment: log)
      #expect(allowed.exitCode == 0 && allowed.errors.contains("The TLS keys of all connections"))
      #expect(try fanfare.folder.text("keys.log").contains("CLIENT_"))
    }
  }
}

extension CredentialTests.Row {
  init(_ words: String, _ code: Int32, _ says: String...) {
    (self.words, self.code, self.says) = (words, code, says)
  }

  /// The same with more words.
  fileprivate func adding(_ more: String) -> Self {
    var row = Self("\(words) \(more)", variables, code)
    row.says = says
    return row
  }
}
