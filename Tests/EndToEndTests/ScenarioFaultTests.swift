import JSONText
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
        {bundleID: "a.b", environment: "emulator", recipients: ["\(device("0a1b"))"], steps: [
          {notification: {payload: {aps: {alert: 7}}}},
          {notification: {payload: {aps: {badge: "x"}}, priority: 7}},
        ]}
        """)
      let result = try fanfare.run(["run", "a.json5", "b.json5", "--junit", "r.xml"])
      #expect(result.exitCode == 2 && result.output.isEmpty)
      for line in ["b.json5:2:", "b.json5:3:"] { #expect(result.errors.contains(line)) }
      let report = try fanfare.folder.text("r.xml")
      for name in ["<error message=\"b.json5:2:", "<error message=\"b.json5:3:", "<skipped "] {
        #expect(report.contains(name), "\(report)")
      }
      #expect(report.contains(#"tests="3" failures="0" errors="2" skipped="1""#))
    }
  }

  @Test("A scenario that cannot be used is in every report, and in the lines of JSON")
  func reports() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("a.json5", ScenarioText.good("A"))
      try fanfare.folder.write("b.json5", "{\n bundleId: 'a.b', notification: {payload: {aps: 7}}}")
      try fanfare.folder.write("c.json5", "{name: 'C' ")
      let files = ["a.json5", "b.json5", "c.json5", "none.json5"]
      let reports = ["--junit", "r.xml", "--tap", "r.tap", "--markdown", "r.md"]
      let result = try fanfare.run(["run"] + files + ["--json"] + reports)
      #expect(result.exitCode == 2, "\(result.errors)")
      let lines = try result.output.split(separator: "\n").map { try JSON(text: $0) }
      #expect(lines.map { $0["file"]?.string } == files)
      #expect(lines.allSatisfy { $0["passed"] == false })
      #expect(lines[0]["notRun"] != nil && lines[0]["step"] == 1)
      let rules = lines[1]["problems"]?.array?.compactMap { $0["rule"]?.string } ?? []
      #expect(rules.contains("scenario-key") && rules.contains("aps-object"), "\(rules)")
      #expect(lines[1]["step"] == JSON(.null))
      #expect(lines[3]["error"]?.string?.contains("none.json5") == true)
      let xml = try fanfare.folder.text("r.xml")
      #expect(xml.contains(#"tests="4" failures="0" errors="3" skipped="1""#), "\(xml)")
      #expect(xml.contains("Did you mean 'bundleID'?"))
      let tap = try fanfare.folder.text("r.tap")
      #expect(tap.contains("1..4\n") && tap.contains("not ok 2 - b.json5: scenario file\n"))
      #expect(try fanfare.folder.text("r.md").contains("| ❌ | b.json5 | scenario file |"))
    }
  }

  @Test("A misspelt key hides neither a broken rule nor a fault in another file")
  func misspelt() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "a.json5",
        """
        {bundleID: "a.b", enviroment: "emulator", recipients: ["\(device("0a1b"))"], extends: "base.json5",
         steps: [
          {notification: {payload: {aps: {alert: 7}}}},
          {notification: {payload: "none.json"}},
          {notification: {payload: {aps: {badge: "x"}}, priority: 7}},
         ]}
        """)
      try fanfare.folder.write("base.json5", "{nam: 1}")
      try fanfare.folder.write("b.json5", ScenarioText.good("B").replacing(#""Hi""#, with: "7"))
      for command in ["run", "check"] {
        let result = try fanfare.run([command, "a.json5", "b.json5"])
        #expect(result.exitCode == 2)
        let text = result.output + result.errors
        for place in [
          "a.json5:1:19: enviroment: ", "base.json5:1:2: nam: ", "a.json5:3:", "a.json5:4:",
          "a.json5:5:", "apns-priority", "b.json5:2:",
        ] {
          #expect(text.contains(place), "\(place): \(text)")
        }
      }
    }
  }

  @Test("A report is not written over what a broken scenario names")
  func overwriting() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write(
        "a.json5",
        """
        {nam: "A", extends: "base.json5", recipients: ["list.txt"],
         notification: {payload: "p.json"}}
        """)
      let texts = [
        "base.json5": "{environment: 'emulator', credentials: {key: 'k.p8'}}", "k.p8": "a key",
        "list.txt": "\(device("0a1b"))\n", "p.json": #"{"aps":{"alert":"Hi"}}"#,
      ]
      for (name, text) in texts { try fanfare.folder.write(name, text) }
      for name in texts.keys.sorted() + ["a.json5"] {
        let text = try fanfare.folder.text(name)
        let result = try fanfare.run(["run", "a.json5", "--junit", name])
        #expect(result.exitCode == 2 && result.errors.contains("--junit would overwrite \(name)"))
        #expect(result.errors.contains("Did you mean 'name'?"))
        #expect(try fanfare.folder.text(name) == text)
      }
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
        "a": "recipients: ['\(device("0a1b"))']", "b": "environment: 'emulator'",
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
