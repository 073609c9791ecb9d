import CommandLineKit
import Foundation
import JSONText
import Reporting
import TestSupport
import Testing

@testable import FanfareCLI

@Suite("Credentials that are inspected")
struct InspectCredentialTests {
  @Test("are told of as recorded, as text and as JSON")
  func recorded() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      try workshop.pack("push.p12")
      try folder.write("token", "bearer \(workshop.token(issuedAt: presentSecond - 600))\n")
      let names = [InspectWorkshop.key, "push.p12", "token"]
      let environment = ["FANFARE_CERT_PASSWORD": InspectWorkshop.password]
      let text = try workshop.inspect(names[0], names[1], names[2], environment: environment)
      let json = try workshop.inspect(
        "--json", names[0], names[1], names[2], environment: environment)
      #expect(text.code == .success && json.code == .success)
      try expectSnapshot(stable(text.output, folder), "inspect-credentials.txt")
      try expectSnapshot(stable(json.output, folder), "inspect-credentials.json")
    }
  }

  /// Without what is another one each time.
  private func stable(_ text: String, _ folder: TemporaryFolder) -> String {
    text.replacing(folder.path + "/", with: "").replacing(/[0-9a-f]{64}/, with: "(SHA-256)")
      .replacing(/06[0-9]{2}, [^\n]*/, with: "(mode)")
      .replacing(/"(mode|readableByOthers|writableByOthers)": [^\n]*/) { "\"\($0.1)\": (mode)," }
  }

  @Test("have a fingerprint that is the same in every file with the key")
  func fingerprints() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      try workshop.pack("push.p12")
      let result = try workshop.inspect(
        "--json", "push.key", "push.p12", InspectWorkshop.key,
        environment: ["FANFARE_CERT_PASSWORD": InspectWorkshop.password])
      let objects = try result.objects()
      let prints = [
        objects[0]["publicKeySHA256"], objects[1]["keys"]?.array?.first?["publicKeySHA256"],
        objects[1]["certificates"]?.array?.first?["publicKeySHA256"],
      ]
      #expect(Set(prints).count == 1 && prints[0]?.string?.count == 64)
      #expect(objects[2]["publicKeySHA256"] != prints[0])
    }
  }

  @Test("are opened with a password, and told of as locked without")
  func passwords() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      try workshop.pack("push.p12")
      try workshop.openssl(
        "pkcs8 -topk8 -in \(InspectWorkshop.key) -passout file:password -out locked.p8")
      let locked = try workshop.inspect("--json", "push.p12", "locked.p8")
      #expect(locked.code == .success)
      #expect(
        try locked.objects().map { $0["signsIn"] ?? $0["signsProviderTokens"] } == [
          .text(nil), .text(nil),
        ])
      let password = "=" + folder.file("password")
      let opened = try workshop.inspect(
        "--cert-password-file" + password, "--key-password-file" + password, "--json", "push.p12",
        "locked.p8")
      #expect(opened.code == .success)
      #expect(
        try opened.objects().map { $0["signsIn"] ?? $0["signsProviderTokens"] } == [true, true])
      let wrong = ["FANFARE_CERT_PASSWORD": "wrong", "FANFARE_KEY_PASSWORD": "wrong"]
      for name in ["push.p12", "locked.p8"] {
        let result = try workshop.inspect(name, environment: wrong)
        #expect(result.code == .connection)
        #expect(result.errors.contains("The password does not open"))
      }
    }
  }

  @Test("with an outdated lock come with the commands that lock them anew, and these work")
  func recoding() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      try workshop.pack("old.p12", "-legacy")
      let name = "-it's\u{1b}[1m 7.p12"
      try FileManager.default.moveItem(atPath: folder.file("old.p12"), toPath: folder.file(name))
      let result = try workshop.inspect("--json", "./" + name)
      let object = try #require(try result.objects().first)
      #expect(object["encryption"]?["isLegacy"] == true)
      #expect(object["encryption"]?["algorithms"] == ["RC2-40-CBC", "3DES"])
      let commands = try #require(object["recoding"]?.array).compactMap(\.string)
      #expect(commands.count == 2 && commands.allSatisfy { $0.allSatisfy { $0 != "\u{1b}" } })
      for command in commands {
        let secret = "'pass:\(InspectWorkshop.password)'"
        let words = "\(command) -passin \(secret) -passout \(secret)"
        #expect(try run("bash", ["-c", words], in: folder).exitCode == 0, "\(command)")
      }
      let anew = try workshop.inspect(
        "--json", "./-it's\u{1b}[1m 7-aes.p12",
        environment: ["FANFARE_CERT_PASSWORD": InspectWorkshop.password])
      #expect(try anew.objects().first?["encryption"]?["isLegacy"] == false)
      #expect(try anew.objects().first?["signsIn"] == true)
      #expect(try anew.objects().first?["recoding"] == [])
    }
  }

  @Test("fit together, or do not")
  func fit() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      try workshop.join("push.key", "push.pem", as: "both.pem")
      try workshop.join(InspectWorkshop.key, "push.pem", as: "other.pem")
      let both = try workshop.inspect("--json", "both.pem", "other.pem").objects()
      #expect(both[0]["keys"]?.array?.first?["fits"] == [0])
      #expect(both.map { $0["signsIn"] } == [true, false])
      #expect(
        both[1]["problem"]
          == "The private key does not belong to the certificate Apple Push Services: com.example.shop."
      )
      let key = "--key=" + folder.file("push.key")
      #expect(try workshop.inspect(key, "--json", "push.pem").objects()[0]["signsIn"] == true)
    }
  }

  @Test("are warned of when others can read or change them")
  func permissions() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      for (mode, says) in [(0o644, "readable by others"), (0o666, "writable by others")] {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: folder.file(InspectWorkshop.key))
        let result = try workshop.inspect(InspectWorkshop.key)
        #expect(result.code == .success)
        #expect(result.output.contains(says) && result.output.contains("chmod 600"))
      }
    }
  }

  @Test("would be found in what is written")
  func canary() throws {
    try withTemporaryFolder { folder in
      let workshop = try InspectWorkshop(folder)
      let key = try folder.lines("push.key").filter { !$0.hasPrefix("-") && $0.count > 20 }
      #expect(key.count > 20)
      for line in key { #expect(try workshop.secrets(in: "a \(line) b") == ["a line of push.key"]) }
      #expect(try workshop.secrets(in: workshop.token()) == ["a provider token"])
      #expect(try workshop.secrets(in: "a \(InspectWorkshop.password)") == ["the password"])
      #expect(try workshop.secrets(in: "push.key: a private key") == [])
    }
  }

  @Test("read standard input once")
  func standardInput() throws {
    for (words, other) in [(["-", "--key", "-"], "--key"), (["-", "-"], "FILE")] {
      expectFailure("'FILE' and '\(other)' cannot be used together.") {
        try InspectCommand.parse(words).run(context())
      }
    }
  }
}

@Suite("A word of the shell")
struct ShellWordTests {
  @Test(
    "stands for the file and nothing else",
    arguments: [
      "a.p12", "my key.p12", "it's", "$(id)`id`", "a\\b", "\u{1b}[1m7", "\n", "ä\u{202e}1", "*",
      "~",
      "a\\'\u{1}",
    ])
  func word(_ path: String) throws {
    try withTemporaryFolder { folder in
      let word = shellWord(path)
      #expect(word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202e}" })
      let result = try run("bash", ["-c", "printf %s \(word)"], in: folder)
      #expect(result.output == path)
    }
  }

  @Test("is no option")
  func dash() { #expect(shellWord("-rf") == "./-rf") }

  @Test("is quoted where zsh would take it for the path of a command")
  func equals() {
    #expect(shellWord("=x") == "'=x'" && shellWord("a=x") == "a=x")
    #expect(shellQuoted("") == "''")
  }
}
