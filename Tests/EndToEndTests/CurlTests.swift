import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare send --curl")
struct CurlTests {
  @Test("prints commands that a shell and curl send, and sends nothing", .needs("curl"))
  func sent() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let payload = #"{"aps":{"alert":"Hi {{name}}, it's $(id)"}}"#
      try fanfare.folder.write("list.csv", "token,name\n\(tokenText(1)),Ann\n\(tokenText(2)),Bob\n")
      let words = ["--payload", payload, "--tokens", "list.csv", "--curl"] + server.place
      let result = try fanfare.run(["send", "--bundle-id", "com.example.app"] + words)
      #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result.errors)")
      #expect(result.output.contains(#"Hi Bob, it'\''s $(id)"#))
      // Else curl says that a payload is a form.
      #expect(result.output.matches(of: /-H content-type:/).count == 2)
      #expect(server.emulator.connectionCount == 0)
      let history = try fanfare.run(["history", "list"])
      #expect(!history.output.contains("com.example.app"))
      try fanfare.folder.write("push.sh", result.output)
      try fanfare.folder.writeSecret(
        "token", fanfare.start(["token"] + credentials).finish().output)
      let script = "export FANFARE_PROVIDER_TOKEN=$(cat token); exec bash push.sh"
      let answer = try run("bash", ["-c", script], in: fanfare.folder)
      #expect(answer.output.matches(of: /HTTP\/2 200/).count == 2, "\(answer)")
    }
  }

  @Test("holds no secret, and takes the emulator and certificates from variables")
  func variables() throws {
    try withFanfare { fanfare in
      let result = try fanfare.run(
        ["send", "--env", "emulator", "--bundle-id", "com.example.app", "--title", "Hello"]
          + ["--to", tokenText(1), "--curl"] + credentials)
      let signer = #"-H "authorization: bearer $FANFARE_PROVIDER_TOKEN""#
      for part in ["\"$FANFARE_SERVER\"/3/device/\(tokenText(1))", "$FANFARE_CA", signer] {
        #expect(result.output.contains(part), "\(result.output)")
      }
    }
  }

  @Test("speaks of the emulator only where pushes would go to it")
  func comment() throws {
    try withFanfare { fanfare in
      let words = ["send", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(1), "--curl"]
      for (place, isEmulator) in [("emulator", true), ("sandbox", false)] {
        let result = try fanfare.run(words + ["--env", place] + credentials)
        #expect(result.output.contains("built-in emulator") == isEmulator, "\(result)")
      }
    }
  }

  static let conflicts: [(words: [String], says: String)] = [
    (["--json"], "'--curl' and '--json' cannot"),
    (["--template", "{{token}}"], "'--template' and '--curl' cannot"),
    (["--watch", "--payload", "order.json"], "'--curl' and '--watch' cannot"),
  ]

  @Test("excludes other forms of output", arguments: conflicts)
  func conflict(_ row: (words: [String], says: String)) throws {
    let result = try withFanfare { fanfare in
      try fanfare.folder.write("order.json", "{}")
      let words = ["--env", "emulator", "--bundle-id", "a.b", "--to", tokenText(1), "--curl"]
      return try fanfare.run(["send"] + words + row.words)
    }
    #expect(result.exitCode == 2 && result.errors.contains(row.says), "\(result.errors)")
  }
}
