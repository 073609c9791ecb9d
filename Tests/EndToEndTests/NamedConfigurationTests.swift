import APNS
import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Nothing listens on port 1 of this machine, so that each connection that is tried fails at once.
@Suite("A file of profiles that is named")
struct NamedConfigurationTests {
  private func withFiles(_ body: (Fanfare) throws -> Void) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "fanfare.json",
        "{default: 'p', profiles: {p: {bundleID: 'com.example.project', environment: 'emulator'}}}")
      try fanfare.folder.makeFolder("ci")
      try fanfare.folder.write(
        "ci/staging.json",
        """
        {default: 's', profiles: {
          s: {bundleID: 'com.example.ci', environment: 'emulator', 
            credentials: {key: 'AuthKey_ABC123DEFG.p8', teamID: 'DEF123GHIJ'}},
          far: {bundleID: 'a.b', environment: {server: 'https://apns.invalid'},
            proxy: 'http://127.0.0.1:1'}},
         devices: {pad: {token: '\(tokenText(1))'}}}
        """)
      try body(fanfare)
    }
  }

  @Test("takes the place of fanfare.json, by option, or by variable")
  func place() throws {
    try withFiles { fanfare in
      let option = ["--config", "ci/staging.json"]
      let variable = ["FANFARE_CONFIG": "ci/staging.json"]
      let show = ["config", "show"]
      for result in [
        try fanfare.run(show + option), try fanfare.run(option + show),
        try fanfare.run(show, environment: variable),
        try fanfare.run(show + option, environment: ["FANFARE_CONFIG": "none.json"]),
      ] {
        #expect(result.output.contains("com.example.ci"), "\(result.errors)")
        #expect(result.output.contains("files: ci/staging.json, "), "\(result.output)")
        #expect(
          result.output.contains("ci/AuthKey_ABC123DEFG.p8") && !result.output.contains("project"))
      }
      let empty = try fanfare.run(show, environment: ["FANFARE_CONFIG": ""])
      #expect(empty.output.contains("com.example.project"))
      let input = Program.Input.file(fanfare.folder.file("ci/staging.json"))
      let piped = try fanfare.run(show + ["--config", "-"], input: input)
      #expect(piped.output.contains("com.example.ci"), "\(piped)")
      #expect(piped.output.contains("files: standard input, "), "\(piped.output)")
      let json = try fanfare.run(show + ["--config", "-", "--json"], input: input).output
      #expect(json.contains(#"{"path":"-","isThere":true}"#), "\(json)")
      let names = try fanfare.run(["config", "profiles"] + option)
      #expect(names.output == "s\nfar\n")
    }
  }

  @Test("supplies profiles and devices to what is sent")
  func sent() throws {
    try withFiles { fanfare in
      let words = ["send", "--title", "Hi", "--to", "pad", "--config", "ci/staging.json"]
      let result = try fanfare.run(words + ["--verbose"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("apns-topic: com.example.ci"))
      let unknown = try fanfare.run(words + ["--profile", "p"])
      #expect(unknown.exitCode == 2)
      #expect(unknown.errors.contains("Profiles in ci/staging.json: s, far."))
      let over = try fanfare.run(words + ["--results", "ci/staging.json"])
      #expect(over.exitCode == 2, "\(over.errors)")
    }
  }

  @Test("is the user's own choice, which nothing asks about, but may run no command")
  func trusted() throws {
    try withFiles { fanfare in
      let words = ["send", "--title", "Hi", "--to", "pad", "--timeout", "2s"] + credentials
      let option = ["--config", "ci/staging.json", "--profile", "far"]
      let result = try fanfare.run(words + option)
      #expect(
        result.exitCode == 3 && !result.errors.contains("--trust-project"), "\(result.errors)")
      try fanfare.folder.writeSecret(
        "own.json", "{profiles: {c: {credentials: {key: {command: ['cat', 'x']}}}}}")
      let command = try fanfare.run(["config", "show", "--config", "own.json", "--profile", "c"])
      #expect(command.exitCode == 2 && command.errors.contains("own.json:1:"), "\(command.errors)")
    }
  }

  @Test("is named by the command that goes on with a run, from whichever folder")
  func wayOn() throws {
    try withFiles { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.serviceUnavailable) }
      let server = try Server(fanfare, configuration)
      let send = ["send", "--title", "Hi", "--to", "pad", "--to", tokenText(2)]
      let place = server.place + credentials
      let option = try fanfare.run(send + place + ["--config", "ci/staging.json"])
      let hint = "fanfare resume 1 --config ci/staging.json\n"
      #expect(option.exitCode == 4 && option.output.contains(hint), "\(option.output)")
      let variable = try fanfare.run(
        send + place, environment: ["FANFARE_CONFIG": "ci/staging.json"])
      #expect(variable.output.contains("fanfare resume 2 --config ci/staging.json\n"))
      #expect(try fanfare.run(["history", "show", "1"]).output.hasSuffix(hint))
      #expect(try fanfare.run(["resume", "1", "--now"]).output.contains(hint))
      try fanfare.folder.makeFolder("other")
      let history = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      let other = Fanfare(folder: fanfare.folder.folder("other"))
      let show = try other.run(["history", "show", "1", "--history", history]).output
      let path = fanfare.folder.file("ci/staging.json")
      #expect(show.hasSuffix("fanfare resume 1 --history \(history) --config \(path)\n"))
    }
  }

  @Test("has to exist")
  func missing() throws {
    try withFiles { fanfare in
      for (words, variables) in [
        (["--config", "no.json"], [:]), ([], ["FANFARE_CONFIG": "no.json"]),
      ] {
        let result = try fanfare.run(["config", "show"] + words, environment: variables)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("The configuration file no.json does not exist."))
      }
      let bare = try fanfare.run(["config", "show", "--config"])
      #expect(bare.exitCode == 2 && bare.errors.contains("'--config' needs a value: FILE."))
    }
  }
}
