import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// What stands between a person and the first push. Nothing may be sent, and the message tells what
/// is wrong, where, and what to do.
@Suite("Bad input")
struct BadInputTests {
  /// A command line that differs from a good one, and what comes of it.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    /// Options that are changed; nil takes one out.
    let options: [String: String?]
    let words: [String]
    let code: Int32
    let says: [String]

    init(
      _ name: String, _ options: [String: String?] = [:], words: [String] = [], code: Int32 = 2,
      says: [String]
    ) {
      testDescription = name
      self.options = options
      self.words = words
      self.code = code
      self.says = says
    }
  }

  static let keys = [
    Row("missing", ["--key": "none.p8"], says: ["none.p8 does not exist", "path"]),
    Row("a folder", ["--key": "folder"], code: 3, says: ["folder is a folder", "Name a file"]),
    Row("behind a file", ["--key": "empty.p8/x"], code: 3, says: ["empty.p8/x cannot be read"]),
    Row("empty", ["--key": "empty.p8"], code: 3, says: ["key file empty.p8 is empty", "AuthKey_"]),
    Row(
      "other text", ["--key": "text.p8"], code: 3, says: ["text.p8: This is not a key", "AuthKey_"]),
    Row(
      "truncated", ["--key": "cut.p8"], code: 3, says: ["cut.p8: ", "truncated", "copy the file"]),
    Row("RSA", ["--key": "rsa.p8"], code: 3, says: ["rsa.p8: ", "RSA", "AuthKey_"]),
    Row("P-384", ["--key": "p384.p8"], code: 3, says: ["p384.p8: ", "secp384r1", "P-256"]),
    Row(
      "locked", ["--key": "locked.p8"], code: 3,
      says: ["locked.p8: ", "password", "--key-password-file"]),
    Row(
      "public", ["--key": "public.p8"], code: 3, says: ["public.p8: ", "a public key", "AuthKey_"]),
    Row("certificate", ["--key": "cert.p8"], code: 3, says: ["cert.p8: ", "a certificate"]),
    Row(
      "a web page", ["--key": "page.p8"], code: 3, says: ["page.p8: ", "a web page", "Log in"]),
    Row("a pipe", ["--key": "pipe.p8"], code: 3, says: ["pipe.p8 is a named pipe", "Name a file"]),
    Row("a device", ["--key": "/dev/null"], code: 3, says: ["/dev/null is a device", "Name a"]),
    Row(
      "open to all", ["--key": "open.p8"], code: 3,
      says: ["open.p8 is writable by other users (mode 0666)", "chmod 600 open.p8"]),
    Row(
      "swapped ids", ["--key-id": "DEF123GHIJ", "--team-id": "ABC123DEFG"],
      says: ["swapped", "Give ABC123DEFG as --key-id"]),
    Row("the same ids", ["--team-id": "ABC123DEFG"], says: ["both ABC123DEFG", "Membership"]),
    Row("no key id", ["--key": "plain.p8", "--key-id": nil], says: ["key ID", "--key-id"]),
    Row("short key id", ["--key-id": "ABC"], says: ["--key-id", "3 characters", "AuthKey_"]),
    Row("odd key id", ["--key-id": "ABC-123DEF"], says: ["--key-id", "'-'", "developer portal"]),
    Row(
      "long team id", ["--team-id": "DEF123GHIJK"], says: ["--team-id", "11 characters", "team"]),
    Row("no team id", ["--team-id": nil], says: ["team ID is missing", "--team-id"]),
    Row(
      "no key", ["--key": nil, "--key-id": nil, "--team-id": nil],
      says: ["No credentials", "--key"]),
  ]

  @Test("for a key", arguments: keys)
  func key(_ row: Row) throws {
    try expectRefusal(row) { try Self.makeKeys(in: $0) }
  }

  static let payloads = [
    Row(
      "not JSON", ["--payload": "syntax.json"],
      says: ["syntax.json:2:20: ", "Unexpected \",\"", "Correct"]),
    Row("twice a key", ["--payload": "twice.json"], says: ["twice.json:1:23: ", "\"aps\""]),
    Row(
      "trailing commas before other mistakes", ["--payload": "commas.json"],
      says: [
        "commas.json:2:23: payload: error: Trailing comma",
        "commas.json:2:25: payload: error: Trail",
        "commas.json:2:20: aps.badge: error: ", "[key-kind]",
      ]),
    Row(
      "a comment before other mistakes", ["--payload": "comment.json"],
      says: [
        "comment.json:1:2: payload: error: Comments",
        "comment.json:1:20: payload: error: Unexpected end",
      ]),
    Row("an array", ["--payload": "array.json"], says: ["array.json:1:1: ", "not an object"]),
    Row("empty", ["--payload": "empty.json"], says: ["The payload is missing"]),
    Row("without aps", ["--payload": "bare.json"], words: ["--type", "alert"], says: ["aps"]),
    Row("missing", ["--payload": "none.json"], says: ["none.json does not exist", "path"]),
    Row("a folder", ["--payload": "folder"], says: ["folder is a folder"]),
    Row("escapes in its name", ["--payload": "a\u{1b}[31m.json"], says: ["a\\u{1b}[31m.json"]),
  ]

  @Test("for a payload", arguments: payloads)
  func payload(_ row: Row) throws {
    try expectRefusal(row) { folder in
      try folder.write("syntax.json", "{\n  \"aps\": {\"alert\": ,}\n}\n")
      try folder.write("commas.json", "{\n  \"aps\": {\"badge\": \"3\",},\n}\n")
      try folder.write("comment.json", "{/* one */ \"aps\": {")
      try folder.write("twice.json", #"{"aps": {"badge": 1}, "aps": {}}"#)
      try folder.write("array.json", "[]")
      try folder.write("empty.json", "")
      try folder.write("bare.json", #"{"id": 1}"#)
      try FileManager.default.createDirectory(
        atPath: folder.file("folder"), withIntermediateDirectories: false)
    }
  }

  static let recipients = [
    Row("not hex", ["--to": "0a1x"], says: ["'--to'", "'x' at position 4", "--help"]),
    Row("odd", ["--to": "0a1"], says: ["'--to'", "digits (3)", "odd"]),
    Row("nobody", ["--to": nil], says: ["No recipients given", "--to TOKEN"]),
    Row("no list", list("none.txt"), says: ["none.txt: ", "does not exist", "path"]),
    Row("an empty list", list("empty.txt"), says: ["empty.txt: ", "no row with a device token"]),
    Row("a folder", list("folder"), says: ["folder: ", "not a list", "Name a file"]),
    Row("escapes in a list's name", list("\u{1b}]0;x\u{7}"), says: ["\\u{1b}]0;x\\u{7}: "]),
    Row("empty standard input", list("-"), says: ["No recipients given"]),
  ]

  private static func list(_ name: String) -> [String: String?] {
    ["--to": nil, "--tokens": name]
  }

  @Test("for the recipients", arguments: recipients)
  func recipient(_ row: Row) throws {
    try expectRefusal(row) { folder in
      try folder.write("empty.txt", "# nobody\n\n")
      try FileManager.default.createDirectory(
        atPath: folder.file("folder"), withIntermediateDirectories: false)
    }
  }

  static let lines = [
    Row("no environment", ["--server": nil], says: ["No environment", "--env sandbox"]),
    Row(
      "a misspelt option", words: ["--titel", "x"], says: ["'--titel'", "Did you mean '--title'"]),
    Row("--env with --server", words: ["--env", "sandbox"], says: ["'--env' and '--server'"]),
    Row("a misspelt environment", words: ["--env", "sandbx"], says: ["Did you mean 'sandbox'"]),
    Row(
      "--bundle-id with --topic", words: ["--topic", "a.b"], says: ["'--bundle-id' and '--topic'"]),
    Row(
      "two that read '-'", ["--payload": "-"], words: ["--tokens", "-"],
      says: ["'--payload -' and '--tokens -'"]),
    Row(
      "an apns-id for two", words: ["--to", device("0a1c"), "--apns-id", id],
      says: ["--apns-id works with a single recipient only", "omit --apns-id"]),
    Row("a broken apns-id", words: ["--apns-id", "7"], says: ["--apns-id, header apns-id"]),
    Row("no value", words: ["--body"], says: ["'--body' needs a value"]),
    Row("an option twice", words: ["--title", "x"], says: ["'--title' is given more than once"]),
    Row("a word too many", words: ["now"], says: ["Unexpected argument 'now'"]),
    Row("escapes", words: ["--\u{1b}[2J"], says: ["'--\\u{1b}[2J'"]),
    Row(
      "retries for days", words: ["--retries", "20"],
      says: ["--retries 20 with --retry-delay 15m would wait for 343 hours", "the limit is a day"]),
    Row("plain HTTP", ["--server": "http://127.0.0.1"], says: ["--server", "https://"]),
    Row(
      "a password in a URL", ["--server": "https://me:eyJ@127.0.0.1"],
      says: ["--server cannot be '…@127.0.0.1'", "user name"]),
    Row(
      "results of an unknown kind", words: ["--results", "out.xml"],
      says: [".jsonl, .ndjson, .csv or .tsv"]),
    Row("results nowhere", words: ["--results", "none/out.csv"], says: ["none/out.csv"]),
    Row("no bundle id", ["--bundle-id": nil], says: ["header apns-topic", "bundle ID"]),
    Row("a bad priority", words: ["--priority", "7"], says: ["--priority, header apns-priority"]),
    Row(
      "a secret header", words: ["--header", "authorization: bearer x"], says: ["authorization"]),
    Row(
      "a line feed in a header", words: ["--collapse-id", "a\nb"],
      says: ["--collapse-id", "\\u{a}"]),
  ]

  private static let id = "1f0e2d3c-4b5a-4978-8695-a4b3c2d1e0f0"

  @Test("on the command line", arguments: lines)
  func line(_ row: Row) throws { try expectRefusal(row) { _ in } }

  @Test("of several kinds is told at once")
  func several() throws {
    let result = try withFanfare { fanfare in
      try fanfare.send(
        "--to", device("0a1b"), "--priority", "7", "--collapse-id", "", "--header", "te: x")
    }
    #expect(result.exitCode == 2)
    for word in ["apns-priority", "apns-collapse-id", "header te"] {
      #expect(result.errors.contains(word))
    }
  }

  static let lacking: [(words: [String], says: [String])] = [
    ([], ["environment", "nothing to send", "No app", "No recipients", "No credentials"]),
    (["--env", "sandbox", "--title", "x"], ["No app", "No recipients", "No credentials"]),
    (["--env", "emulator", "--bundle-id", "a.b"], ["nothing to send", "No recipients"]),
    (["--env", "sandbox", "--topic", "a.b", "--title", "x", "--dry-run"], ["No recipients"]),
    (["--env", "emulator", "--title", "x", "--to", "0a1b"], ["header apns-topic"]),
  ]

  @Test("of what is missing is told all together", arguments: lacking)
  func missing(_ row: (words: [String], says: [String])) throws {
    let result = try withFanfare { try $0.run(["send"] + row.words) }
    #expect(result.exitCode == 2 && result.output == "")
    for text in row.says { #expect(result.errors.contains(text), "\(result.errors)") }
    #expect(result.errors.split(separator: "\n").count == 2 * row.says.count, "\(result.errors)")
  }

  private func expectRefusal(_ row: Row, files: (TemporaryFolder) throws -> Void) throws {
    try withFanfare { fanfare in
      try files(fanfare.folder)
      let server = try Server(fanfare)
      var options: [String: String?] = [
        "--server": server.emulator.url, "--ca": "ca.pem", "--key": keyFile,
        "--key-id": "ABC123DEFG", "--team-id": "DEF123GHIJ", "--bundle-id": "com.example.app",
        "--title": "Hello",
        "--to": device("0a1b"),
      ]
      if row.options["--payload"] != nil { options.updateValue(nil, forKey: "--title") }
      options.merge(row.options) { $1 }
      let said = options.compactMap { name, value in value.map { [name, $0] } }.flatMap(\.self)
      let result = try fanfare.run(["send"] + said + row.words)
      #expect(result.exitCode == row.code)
      #expect(result.output == "")
      for text in row.says { #expect(result.errors.contains(text), "\(result.errors)") }
      #expect(result.errors.split(separator: "\n").count >= 2, "what to do is missing")
      #expect(server.emulator.connectionCount == 0)
    }
  }

  private static func makeKeys(in folder: TemporaryFolder) throws {
    let good = try folder.text(keyFile)
    try folder.write("plain.p8", good)
    try folder.write("cut.p8", String(good.dropLast(60)))
    try folder.write("empty.p8", "")
    try folder.write("text.p8", "not a key\n")
    try folder.write("page.p8", "<!DOCTYPE html>\n<html></html>\n")
    try #require(chmod(folder.write("open.p8", good), 0o666) == 0)
    try #require(mkfifo(folder.file("pipe.p8"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.file("folder"), withIntermediateDirectories: false)
    for line in [
      "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out rsa.p8",
      "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.p8",
      "pkcs8 -topk8 -in plain.p8 -out locked.p8 -passout pass:fanfare",
      "pkey -in plain.p8 -pubout -out public.p8",
      "req -x509 -new -key plain.p8 -subj /CN=x -out cert.p8",
    ] {
      let made = try run("openssl", line.split(separator: " ").map(String.init), in: folder)
      try #require(made.exitCode == 0, "\(made.errors)")
    }
  }
}
