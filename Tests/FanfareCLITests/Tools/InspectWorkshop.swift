import CommandLineKit
import Credentials
import Foundation
import JSONText
import PushModel
import Reporting
import Settings
import TestSupport
import Testing

@testable import FanfareCLI

/// A folder with a signing key, `AuthKey_ABC123DEFG.p8`, and a certificate for pushes with its key,
/// `push.pem` and `push.key`, valid around the stopped clock of the tests.
struct InspectWorkshop {
  static let password = "correct horse"
  static let key = "AuthKey_ABC123DEFG.p8"

  let folder: TemporaryFolder

  init(_ folder: TemporaryFolder) throws {
    self.folder = folder
    let app = "com.example.shop"
    try openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out \(Self.key)")
    try openssl("genrsa -out push.key 2048")
    try signItself(
      "push", subject: "/UID=\(app)/CN=Apple Push Services: \(app)/OU=DEF123GHIJ",
      extensions: pushExtensions(of: app, topics: ["app", "voip"]), from: "20230601000000Z",
      to: "20240601000000Z", in: folder)
    for name in [Self.key, "push.key"] { try protect(name) }
  }

  /// Runs openssl with words that have no blanks in them.
  func openssl(_ words: String) throws {
    try runOpenSSL(words.split(separator: " ").map(String.init), in: folder)
  }

  /// Joins files.
  func join(_ names: String..., as name: String) throws {
    try folder.write(name, names.map { try folder.text($0) }.joined())
    try protect(name)
  }

  /// Makes a file one that only its owner can read.
  func protect(_ name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.file(name))
  }

  /// A `.p12` of the certificate, locked with ``password``.
  func pack(_ name: String, _ options: String = "") throws {
    try folder.write("password", Self.password + "\n")
    try protect("password")
    try openssl(
      "pkcs12 -export -in push.pem -inkey push.key -passout file:password -out \(name) "
        + options)
    try protect(name)
  }

  /// A provider token of the signing key.
  func token(issuedAt: Int64 = presentSecond) throws -> String {
    let contents = SecretBytes(try folder.text(Self.key))
    return try ProviderToken(
      key: SigningKey(contents: contents), keyID: KeyID("ABC123DEFG"), teamID: TeamID("DEF123GHIJ"),
      issuedAt: issuedAt
    ).text
  }
}

extension InspectWorkshop {
  /// What a run wrote, and how it ended.
  struct Result {
    let code: ExitCode
    let output: String
    let errors: String

    /// The objects of `--json`.
    func objects() throws -> [JSON] { try #require(JSONReader().read(output).array) }
  }

  /// Runs `inspect`, and looks through what it wrote for secrets.
  func inspect(_ words: String..., environment: [String: String] = [:]) throws -> Result {
    let words = words.map { $0.hasPrefix("-") ? $0 : folder.file($0) }
    let outputs = try ["out", "err"].map { name in
      try #require(fopen(folder.file(name), "w"))
    }
    defer { outputs.forEach { fclose($0) } }
    let streams = outputs.map { Output(descriptor: fileno($0), environment: [:]) }
    let plain = context(environment.merging(["TMPDIR": folder.path]) { $1 })
    let context = Context(
      environment: plain.environment, output: streams[0], errors: streams[1], clock: plain.clock)
    let code = context.teller.show(try InspectCommand.parse(words).run(context))
    for stream in streams { stream.flush() }
    let result = Result(code: code, output: try folder.text("out"), errors: try folder.text("err"))
    #expect(try secrets(in: result.output + result.errors) == [])
    return result
  }

  /// The secrets in a text: the password, a part of a token, or a line of a key.
  func secrets(in text: String) throws -> [String] {
    let keys = try folder.names().filter { name in
      [".p8", ".key"].contains { name.hasSuffix($0) }
    }
    let lines = try keys.flatMap { name in
      try folder.lines(name).filter { !$0.hasPrefix("-") && $0.count > 20 }
        .map { (name: "a line of \(name)", text: String($0)) }
    }
    let secrets = [("the password", Self.password), ("a provider token", "eyJ")] + lines
    return secrets.filter { text.contains($0.1) }.map(\.0)
  }
}
