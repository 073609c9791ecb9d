import SendingSupport
import TestSupport
import Testing

@Suite("What is wrong with scenarios")
struct ScenarioFaultTests {
  @Test("Nothing is sent when anything is wrong with any step; all of it is told")
  func rehearsal() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      try fanfare.folder.write(
        "b.json5",
        """
        {bundleID: "a.b", environment: "emulator", recipients: ["0a1b"], steps: [
          {notification: {payload: {aps: {alert: 7}}}},
          {notification: {payload: {aps: {badge: "x"}}, priority: 7}},
        ]}
        """)
      let result = try fanfare.run(["run", "a.json5", "b.json5", "--junit", "r.xml"])
      #expect(result.exitCode == 2 && result.output.isEmpty)
      for line in ["b.json5:2:", "b.json5:3:"] { #expect(result.errors.contains(line)) }
      #expect(try !fanfare.folder.names().contains { $0 == "r.xml" || $0.hasPrefix("r.xml") })
    }
  }

  @Test("A script without the emulator, or in place of a scenario, is refused")
  func scripts() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("dead.json5", ScenarioText.script)
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      let server = ["--server", "https://127.0.0.1:1"] + credentials
      let idle = try fanfare.run(["run", "a.json5", "--script", "dead.json5"] + server)
      #expect(idle.exitCode == 2 && idle.errors.contains("'--env emulator' is required"))
      let wrong = try fanfare.run(["run", "dead.json5"])
      #expect(wrong.exitCode == 2 && wrong.errors.contains("is a script for the emulator"))
      try fanfare.folder.write("bad.json5", "{rules: [{when: {tokenPrefx: '0'}, swallow: true}]}")
      let broken = try fanfare.run(["run", "a.json5", "--script", "bad.json5"])
      #expect(broken.exitCode == 2 && broken.errors.contains("Did you mean 'tokenPrefix'?"))
      #expect(try fanfare.run(["check", "bad.json5"]).exitCode == 2)
      #expect(try fanfare.run(["check", "dead.json5"]).output == "1 script: no problems\n")
    }
  }

  @Test("What is wrong with several scenarios is told at once, each with its file")
  func faults() throws {
    try withFanfare { fanfare in
      try fanfare.folder.makeFolder("s")
      let parts = [
        "a": "recipients: ['0a1b']", "b": "environment: 'emulator'",
        "c": "environment: 'emulator', recipients: ['none.txt']",
      ]
      for (name, part) in parts {
        let text = "{bundleID: 'a.b', \(part), notification: {payload: {aps: {alert: 'Hi'}}}}"
        try fanfare.folder.write("s/\(name).json5", text)
      }
      let result = try fanfare.run(["run", "s"])
      #expect(result.exitCode == 2 && result.output.isEmpty)
      for says in ["s/a.json5: No environment", "s/b.json5: No recipients", "none.txt"] {
        #expect(result.errors.contains(says), "\(result.errors)")
      }
    }
  }

  @Test("check tells what nobody can fill, where the recipients have no variables")
  func unfilled() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "a.json5", ScenarioText.good("A").replacing("Hi", with: "Hi {{who}}"))
      let result = try fanfare.run(["check", "a.json5"])
      #expect(result.exitCode == 2 && result.output.contains("Nothing fills {{who}}"))
      #expect(try fanfare.run(["check", "a.json5", "--var", "who=Ada"]).exitCode == 0)
    }
  }

  @Test("A history that cannot be opened is told before anything is sent")
  func history() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      try fanfare.folder.write("h.sqlite", String(repeating: "no database ", count: 100))
      let result = try fanfare.run(["run", "a.json5", "--history", "h.sqlite"])
      #expect(result.exitCode == 2 && result.output.isEmpty)
      #expect(result.errors.contains("--no-history"), "\(result.errors)")
    }
  }

  @Test("A key that stands in a scenario is refused, and not shown")
  func inlineKey() throws {
    try withFanfare { fanfare in
      let key = try fanfare.folder.text(keyFile).replacing("\n", with: "\\n")
      let credentials = "credentials: {key: \"\(key)\", teamID: 'DEF123GHIJ'}, "
      let text = ScenarioText.good("A").replacing("{name:", with: "{\(credentials)name:")
      try fanfare.folder.write("a.json5", text)
      for command in ["run", "check"] {
        let result = try fanfare.run([command, "a.json5"])
        #expect(result.exitCode == 2)
        #expect((result.errors + result.output).contains("This is not a file path."))
      }
    }
  }
}
