import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("A profile")
struct ProfileTests {
  /// A project whose profile says all that a push needs.
  private static let project = """
    {
      // The local APNs.
      "default": "local",
      "profiles": {
        "local": {"bundleID": "com.example.profile", "environment": "emulator"},
        "key": {
          "bundleID": "com.example.app", "environment": "sandbox",
          "credentials": {"key": "\(keyFile)", "teamID": "DEF123GHIJ"},
        },
      },
    }
    """

  private func withProject<Result>(
    _ text: String = project, _ body: (Fanfare) throws -> Result
  ) throws -> Result {
    try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.json", text)
      return try body(fanfare)
    }
  }

  /// Puts the user's own file where it belongs.
  private func writeOwn(_ text: String, _ fanfare: Fanfare) throws {
    try fanfare.folder.makeFolder(".config/fanfare")
    try fanfare.folder.writeSecret(".config/fanfare/config.json", text)
  }

  @Test("is all that send needs besides the message")
  func send() throws {
    try withProject { fanfare in
      let result = try fanfare.run(["send", "--title", "Hi", "--to", device("0a1b"), "--verbose"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("apns-topic: com.example.profile"))
      #expect(result.errors.contains("(from fanfare.json:"))
    }
  }

  @Test("is found in a folder above, and its paths count from there")
  func above() throws {
    try withProject { fanfare in
      try fanfare.folder.makeFolder("a/b")
      let inner = Fanfare(folder: fanfare.folder.folder("a/b"))
      let words = [
        "send", "--profile", "key", "--title", "Hi", "--to", device("0a1b"), "--dry-run", "-v",
      ]
      let result = try inner.run(words)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("key: ../../\(keyFile) (from ../../fanfare.json:8:"))
    }
  }

  @Test(
    "is not taken from a stranger who may write to a folder as everybody may",
    .enabled(if: geteuid() == 0, "only root can give a file away"),
    arguments: [
      (mode: 0o1777, owner: 1234, name: nil), (0o1777, 0, "local"), (0o755, 1234, "local"),
    ])
  func stranger(_ row: (mode: Int, owner: uid_t, name: String?)) throws {
    try withProject { fanfare in
      try #require(chmod(fanfare.folder.path, mode_t(row.mode)) == 0)
      try #require(chown(fanfare.folder.file("fanfare.json"), row.owner, 0) == 0)
      let result = try fanfare.run(["config", "show", "--json"])
      let name = try JSON(text: result.output)["settings"]?["profile"]?["value"]?.string
      #expect(name == row.name)
    }
  }

  @Test("of the user is taken where the project has none of that name")
  func own() throws {
    try withFanfare { fanfare in
      try writeOwn(
        "{default: 'mine', profiles: {mine: {bundleID: 'a.own', environment: 'emulator'}}}",
        fanfare)
      let result = try fanfare.run(["send", "--title", "Hi", "--to", device("0a1b"), "--verbose"])
      #expect(result.exitCode == 0 && result.errors.contains("apns-topic: a.own"))
    }
  }

  @Test("is named by a scenario, which may also take its credentials alone")
  func scenario() throws {
    try withProject { fanfare in
      try fanfare.folder.write(
        "s.json5",
        """
        {profile: "local", recipients: ["\(device("0a1b"))"], notification: {payload: {aps: {alert: "Hi"}}}}
        """)
      let local = try fanfare.run(
        ["run", "s.json5", "--verbose"], environment: ["FANFARE_PROFILE": "key"])
      #expect(local.exitCode == 0 && local.errors.contains("apns-topic: com.example.profile"))
      try fanfare.folder.write(
        "c.json5",
        """
        {credentials: {profile: "key"}, recipients: ["\(device("0a1b"))"],
         notification: {payload: {aps: {alert: "Hi"}}}}
        """)
      let signed = try fanfare.run(["run", "c.json5", "--verbose"])
      #expect(signed.exitCode == 0 && signed.errors.contains("key ID: ABC123DEFG"))
    }
  }

  @Test("gives variables below those of the scenario and of --var")
  func variables() throws {
    let text = """
      {default: 'p', profiles: {p: {bundleID: 'a.b', environment: 'emulator',
       variables: {shop: 'Corner', tables: 7}}}}
      """
    try withProject(text) { fanfare in
      let words = [
        "send", "--title", "{{shop}}", "--data", #"tables="{{tables}}""#, "--to", device("0a1b"),
        "--dry-run", "--json",
      ]
      let usual = try fanfare.run(words)
      #expect(usual.output.contains(#""payload":{"tables":7,"aps":{"alert":{"title":"Corner"}}}"#))
      let said = try fanfare.run(words + ["--var", "shop=Own"])
      #expect(said.output.contains(#""title":"Own""#))
    }
  }

  static let others: [(words: [String], says: String)] = [
    (["doctor"], "emulator"), (["simulate", "--title", "Hi"], "com.example.profile"),
    (["history", "list", "--json"], "\"environment\":\"emulator\""),
    (["history", "show", "1"], "emulator"),
  ]

  @Test("counts for commands that send nothing", arguments: others)
  func otherCommand(_ row: (words: [String], says: String)) throws {
    let text = Self.project.replacing("\"emulator\"", with: "\"emulator\", history: 'h.sqlite'")
    try withProject(text) { fanfare in
      #expect(try fanfare.run(["send", "--title", "Hi", "--to", device("0a1b")]).exitCode == 0)
      #expect(try fanfare.folder.names().contains("h.sqlite"))
      let result = try fanfare.run(row.words)
      #expect(result.exitCode == 0 && result.output.contains(row.says), "\(result)")
    }
  }

  @Test("signs provider tokens")
  func token() throws {
    try withProject { fanfare in
      let result = try fanfare.start(["token", "--profile", "key"]).finish()
      #expect(result.exitCode == 0 && result.output.hasPrefix("eyJ"))
    }
  }

  @Test("that is not there, or broken, stops everything that goes by it")
  func broken() throws {
    let send = ["send", "--title", "Hi", "--to", device("0a1b")]
    try withProject { fanfare in
      let unknown = try fanfare.run(send + ["--profile", "locl"])
      #expect(unknown.exitCode == 2)
      #expect(unknown.errors.contains("Did you mean 'local'? Profiles are read from fanfare.json."))
    }
    try withProject("{profiles: {a: {port: 'x'}}}") { fanfare in
      let result = try fanfare.run(send)
      #expect(result.exitCode == 2 && result.errors.contains("fanfare.json:1:23: profiles.a.port"))
      #expect(try fanfare.run(["explain", "410"]).exitCode == 0)
    }
  }

  @Test("with a command for its key runs it, and passes its errors on")
  func command() throws {
    try withFanfare { fanfare in
      let command = #"["sh", "-c", "echo unlocked >&2; cat \#(keyFile)"]"#
      let profile = """
        {bundleID: 'a.b', environment: 'emulator',
         credentials: {key: {command: \(command)}, keyID: 'ABC123DEFG', teamID: 'DEF123GHIJ'}}
        """
      try writeOwn("{default: 'a', profiles: {a: \(profile)}}", fanfare)
      let result = try fanfare.run(["send", "--title", "Hi", "--to", device("0a1b"), "-v"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("unlocked\n"))
      #expect(result.errors.contains("key: command sh (from /"))
    }
  }

  /// Mode and owner of the user's own file and its folder, and what is said of them.
  static let ownerships: [(folder: Int, folderOwner: uid_t, owner: uid_t, says: String?)] = [
    (0o755, 0, 0, nil), (0o777, 0, 0, "fanfare is writable by other users (mode 0777)"),
    (0o775, 0, 0, "chmod go-w "), (0o755, 1234, 0, "fanfare belongs to another user (1234)"),
    (0o755, 0, 1234, "config.json belongs to another user (1234)"),
  ]

  @Test(
    "with a command runs it only if nobody else can have written it",
    .enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ownerships)
  func foreignCommand(
    _ row: (folder: Int, folderOwner: uid_t, owner: uid_t, says: String?)
  ) throws {
    try withFanfare { fanfare in
      let profile = """
        {credentials: {key: {command: ['sh', '-c', 'touch ran; cat \(keyFile)']},
         keyID: 'ABC123DEFG', teamID: 'DEF123GHIJ'}}
        """
      try writeOwn("{default: 'a', profiles: {a: \(profile)}}", fanfare)
      let folder = fanfare.folder.file(".config/fanfare")
      try #require(chown(folder + "/config.json", row.owner, 0) == 0)
      try #require(chown(folder, row.folderOwner, 0) == 0)
      try #require(chmod(folder, mode_t(row.folder)) == 0)
      // A provider token is a secret, which `run` would find.
      let result = try fanfare.start(["token"]).finish()
      #expect(result.exitCode == (row.says == nil ? 0 : 2), "\(result.errors)")
      if let says = row.says {
        #expect(result.errors.contains("Its commands are not run"), "\(result.errors)")
        #expect(result.errors.contains(says), "\(result.errors)")
      }
      #expect(try fanfare.folder.names().contains("ran") == (row.says == nil))
    }
  }

  @Test(
    "with a command runs it only if nobody else can have put another where its link leads",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func linkedCommand() throws {
    try withFanfare { fanfare in
      let profile = "{credentials: {key: {command: ['sh', '-c', 'touch ran']}}}"
      try writeOwn("{default: 'a', profiles: {a: \(profile)}}", fanfare)
      let folder = fanfare.folder
      try folder.makeFolder("kept")
      let (link, target) = (folder.file(".config/fanfare/config.json"), folder.file("kept/c.json"))
      try #require(rename(link, target) == 0 && symlink(target, link) == 0)
      for (mode, says) in [(0o755, "touch"), (0o777, "kept is writable by other users")] {
        try #require(chmod(folder.file("kept"), mode_t(mode)) == 0)
        let result = try fanfare.run(["token"])
        #expect(result.errors.contains(says) == (mode == 0o777), "\(result.errors)")
        #expect(try folder.names().contains("ran") == (mode == 0o755))
        unlink(folder.file("ran"))
      }
    }
  }

  @Test("with a command for a certificate and its password signs in with them")
  func certificateCommand() throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      let profile = """
        {environment: 'emulator', credentials: {cert: {command: ['cat', 'aes.p12']},
         passwordFile: {command: ['cat', 'password']}}}
        """
      try writeOwn("{default: 'a', profiles: {a: \(profile)}}", fanfare)
      let result = try fanfare.run(["send", "--title", "Hi", "--to", device("0a1b"), "-v"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("topic: com.example.shop, from the certificate"))
    }
  }

  @Test("with a command is refused in the project's file, and runs nothing")
  func refusedCommand() throws {
    let text = "{default: 'a', profiles: {a: {credentials: {key: {command: ['touch', 'ran']}}}}}"
    try withProject(text) { fanfare in
      for words in [["token"], ["check", "."], ["config", "show"]] {
        let result = try fanfare.run(words)
        let said = result.errors + result.output
        #expect(result.exitCode == 2 && said.contains("A command is not allowed here"), "\(said)")
      }
      #expect(try !fanfare.folder.names().contains("ran"))
    }
  }

  /// A run that a profile describes, and that one push is left of.
  private func withDeferred(
    credentials: String, own: String = "{}", _ body: (Fanfare) throws -> Void
  ) throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      let first = Atomic(true)
      configuration.answer = { _ in
        first.exchange(false, ordering: .relaxed) ? .reject(.serviceUnavailable) : nil
      }
      let server = try Server(fanfare, configuration)
      _ = try CredentialWorkshop(in: fanfare.folder)
      try writeOwn(own, fanfare)
      try fanfare.folder.write(
        "fanfare.json",
        """
        {profiles: {p: {bundleID: 'com.example.shop', credentials: \(credentials),
         environment: {server: '\(server.emulator.url)', ca: 'ca.pem'}}}}
        """)
      let result = try fanfare.run([
        "send", "--profile", "p", "--title", "Hi", "--to", device("0a1b"),
      ])
      #expect(result.exitCode == 4, "\(result.errors)")
      try body(fanfare)
    }
  }

  @Test("is no longer needed by a run that is resumed: server, roots and key are written down")
  func resume() throws {
    let key = "{key: '\(keyFile)', teamID: 'DEF123GHIJ'}"
    try withDeferred(credentials: key) { fanfare in
      try FileManager.default.removeItem(atPath: fanfare.folder.file("fanfare.json"))
      let result = try fanfare.run(["resume", "--now"])
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }

  @Test("is no longer needed for a certificate, its key in a file of its own, and its password")
  func resumeCertificate() throws {
    let files = "cert: 'shop.pem', certKey: 'locked.key', passwordFile: 'password'"
    try withDeferred(credentials: "{\(files)}") { fanfare in
      try FileManager.default.removeItem(atPath: fanfare.folder.file("fanfare.json"))
      let result = try fanfare.run(["resume", "--now"])
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }

  @Test("is asked again for a key that is in no file, by resume and by resend")
  func resumeCommand() throws {
    let key = "{command: ['cat', '\(keyFile)']}, keyID: 'ABC123DEFG', teamID: 'DEF123GHIJ'"
    let own = "{profiles: {p: {credentials: {key: \(key)}}}}"
    try withDeferred(credentials: "{profile: 'p'}", own: own) { fanfare in
      let resent = try fanfare.run(["history", "resend", "1"])
      #expect(resent.exitCode == 0, "\(resent.errors)")
      let result = try fanfare.run(["resume", "1", "--now", "--force"])
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }
}
