import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare simulate")
struct SimulateCommandTests {
  private static let hello = ["simulate", "--title", "Hi", "--bundle-id", "com.example.app"]

  @Test("writes what it then takes as a payload, and what send sends without the app's name")
  func roundTrip() throws {
    try withFanfare { fanfare in
      let written = try fanfare.run(Self.hello + ["--output", "x.apns"])
      #expect(written.exitCode == 0 && written.output == "" && written.errors == "")
      let changed = try fanfare.run(["simulate", "--payload", "x.apns", "--badge", "3"])
      let file = try JSON(text: changed.output)
      #expect(
        file == [
          "Simulator Target Bundle": "com.example.app",
          "aps": ["alert": ["title": "Hi"], "badge": 3],
        ])
      let send = [
        "send", "--env", "emulator", "--bundle-id", "a.b", "--to", device("0a1b"), "--payload",
        "x.apns",
        "--dry-run", "--json",
      ]
      let request = try JSON(text: fanfare.run(send).output)
      #expect(request["payload"] == ["aps": ["alert": ["title": "Hi"]]])
    }
  }

  @Test("writes a scenario's file into a folder, which it makes")
  func scenario() throws {
    try withFanfare { fanfare in
      let text = #"{bundleID: "a.b", notification: {payload: {aps: {alert: "Hi"}}}}"#
      try fanfare.folder.write("hello.json5", text)
      for _ in 1...2 {
        let result = try fanfare.run(["simulate", "hello.json5", "--output", "out"])
        #expect(result.exitCode == 0, "\(result.errors)")
      }
      #expect(try JSON(text: fanfare.folder.text("out/hello.apns"))["aps"]?["alert"] == "Hi")
    }
  }

  static let refusals: [(words: [String], code: Int32, says: String)] = [
    (["--title", "Hi"], 2, "--bundle-id"),
    (["--title", "Hi {{name}}", "--bundle-id", "a.b"], 2, "aps.alert.title: error:"),
    (["--bundle-id", "a.b", "--data", "x=1"], 2, "[aps-missing]"),
    (["--title", "Hi", "--bundle-id", "a.b", "--booted"], 3, "xcrun"),
  ]

  @Test("says what is missing, and writes nothing", arguments: refusals)
  func refusal(_ row: (words: [String], code: Int32, says: String)) throws {
    let path = ["PATH": "/nonexistent"]
    let result = try withFanfare { try $0.run(["simulate"] + row.words, environment: path) }
    #expect(result.exitCode == row.code && result.output == "")
    #expect(result.errors.contains(row.says), "\(result.errors)")
  }

  @Test("hands the file to simctl, and goes by its exit status alone", arguments: [0, 4])
  func simctl(_ status: Int32) throws {
    try withFanfare { fanfare in
      let path = try xcrun(status, in: fanfare.folder)
      let words = Self.hello + ["--device", "iPhone 17"]
      let result = try fanfare.run(words, environment: ["PATH": path])
      #expect(result.exitCode == (status == 0 ? 0 : 1) && result.output == "")
      let arguments = try fanfare.folder.lines("arguments.txt")
      #expect(arguments == ["simctl", "push", "iPhone 17", "com.example.app", "-"])
      let pushed = try JSON(text: fanfare.folder.text("pushed.json"))
      #expect(pushed["aps"] == ["alert": ["title": "Hi"]])
      #expect(result.errors.contains(#"simctl: An error, or not \u{1b}[31m"#))
      #expect(result.errors.contains("failed with status 4") == (status == 4))
    }
  }

  @Test("pushes to the one that runs, and writes the file too when told where")
  func booted() throws {
    try withFanfare { fanfare in
      let path = try xcrun(0, in: fanfare.folder)
      let words = Self.hello + ["--booted", "--output", "-"]
      let result = try fanfare.run(words, environment: ["PATH": path])
      #expect(result.exitCode == 0)
      #expect(try result.output == fanfare.folder.text("pushed.json"))
      #expect(try fanfare.folder.lines("arguments.txt")[2] == "booted")
    }
  }

  /// A stand-in for Xcode's program; what it gives is the `PATH` that leads to it.
  private func xcrun(_ status: Int32, in folder: TemporaryFolder) throws -> String {
    let script = """
      #!/bin/sh
      printf '%s\\n' "$@" > arguments.txt
      cat > pushed.json
      printf 'An error, or not \\033[31m\\n' >&2
      exit \(status)

      """
    try folder.writeProgram("bin/xcrun", script)
    return folder.file("bin") + ":/usr/bin:/bin"
  }
}
