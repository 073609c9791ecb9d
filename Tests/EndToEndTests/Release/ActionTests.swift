#if os(Linux)
import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

/// Runs the script of `action.yml` as a runner does: with inputs in variables, and files for what it says.
@Suite("The GitHub Action", .needs("bash"), .needs("python3"), .needs("curl"))
struct ActionTests {
  /// A runner, and a release of the program of the tests.
  private func withRunner<Result>(_ body: (ReleaseSite) throws -> Result) throws -> Result {
    try withReleaseSite { site in
      try site.publish(fanfareVersion, program: "#!/bin/sh\nexec '\(Fanfare.path)' \"$@\"\n")
      for name in ["temp", "home"] { try site.folder.makeFolder(name) }
      for name in ["output", "summary", "path"] { try site.folder.write(name, "") }
      for name in ["payloads", "scenarios"] {
        try FileManager.default.copyItem(
          atPath: projectFolder.appending(path: name).path, toPath: site.folder.file(name))
      }
      return try body(site)
    }
  }

  private func act(_ site: ReleaseSite, _ inputs: [String: String]) throws -> Program.Result {
    let folder = site.folder
    for name in ["output", "summary"] { try folder.write(name, "") }
    let own = [
      "RUNNER_TEMP": folder.file("temp"), "GITHUB_OUTPUT": folder.file("output"),
      "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.file("summary"),
      "GITHUB_PATH": folder.file("path"),
    ]
    let variables = inputs.map { ("INPUT_\($0.key)", $0.value) }
    let script = projectFolder.appending(path: "Packaging/action").path
    return try Program(
      path: script, [], in: folder,
      environment: site.environment(own.merging(variables) { $1 })
    ).finish()
  }

  private func outputs(_ site: ReleaseSite) throws -> [Substring] {
    try site.folder.lines("output").sorted()
  }

  @Test("installs fanfare once for the steps that follow")
  func installs() throws {
    try withRunner { site in
      let result = try act(site, [:])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.contains("fanfare \(fanfareVersion) is in"))
      #expect(try act(site, ["COMMAND": ""]).output == "")
      #expect(
        try site.folder.lines("path").map { "\($0)" } == [site.folder.file("temp/fanfare/bin")])
      let other = try act(site, ["VERSION": "9.9.9"])
      #expect(other.exitCode == 1 && other.errors.contains("/v9.9.9"))
    }
  }

  @Test("sends, with quotes as in a shell and nothing else of one, and says what came of it")
  func sends() throws {
    try withRunner { site in
      let arguments = """
        --bundle-id com.example.shop --title "Order 1042" --body '$(touch ran) "now"'
        --to \(tokenText(1)) --to 0b
        """
      let result = try act(
        site, ["COMMAND": "send", "ARGUMENTS": arguments, "ENVIRONMENT": "emulator"])
      #expect(result.exitCode == 1, "\(result.errors)")
      #expect(try outputs(site) == ["accepted=1", "exit-code=1", "rejected=1", "run=1"])
      let summary = try site.folder.text("summary")
      #expect(summary.hasPrefix("## fanfare: 1 accepted\n"))
      #expect(summary.contains("\n| rejected | 1 |\n"))
      #expect(try !site.folder.names().contains("ran"))
      #expect(try site.folder.folder("temp").names() == ["fanfare"])
    }
  }

  @Test("signs in with the key that it is given, and shows it nowhere")
  func secrets() throws {
    try withRunner { site in
      let key = try freshKey()
      let inputs = [
        "COMMAND": "send", "KEY": key, "KEY_ID": "ABC123DEFG", "TEAM_ID": "DEF123GHIJ",
        "ENVIRONMENT": "sandbox",
        "ARGUMENTS": "--bundle-id com.example.shop --title Hi --to \(tokenText(1)) --dry-run",
      ]
      let result = try act(site, inputs)
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      let said = try result.output + result.errors + site.folder.text("summary")
      for line in key.split(separator: "\n").dropFirst() { #expect(!said.contains(line)) }
    }
  }

  @Test("runs scenarios, and adds up what their steps came to")
  func runs() throws {
    try withRunner { site in
      let result = try act(
        site,
        [
          "COMMAND": "run", "ARGUMENTS": "scenarios/live-activity.json5 scenarios/hello.json5",
          "ENVIRONMENT": "emulator",
        ])
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      #expect(try outputs(site) == ["accepted=4", "exit-code=0", "rejected=0", "run=4"])
      #expect(try site.folder.text("summary").hasPrefix("## fanfare: passed\n"))
    }
  }

  @Test("marks what check finds, and lets nothing that fanfare prints be a command of the runner")
  func checks() throws {
    try withRunner { site in
      try site.folder.write(
        "payloads/bad.json", "{\n  \"aps\": {\"alert\": \"Hi\", \"badge\": \"3\"}\n}\n")
      let result = try act(site, ["COMMAND": "check", "ARGUMENTS": "payloads/bad.json"])
      #expect(result.exitCode == 2)
      let lines = result.output.split(separator: "\n")
      let start = try #require(lines.firstIndex { $0.hasPrefix("::stop-commands::") })
      let end = try #require(lines.firstIndex(of: "::\(lines[start].dropFirst(17))::"))
      #expect(lines[start...end].contains { $0.hasPrefix("payloads/bad.json:2:") })
      let mark = "::error file=payloads/bad.json,line=2,col="
      #expect(result.errors.split(separator: "\n").count { $0.hasPrefix(mark) } == 1)
      #expect(try site.folder.text("summary").contains("aps.badge is text"))
    }
  }

  /// Inputs that are refused, and what is said.
  static let refusals = [
    (["COMMAND": "history"], "command is check, run or send, not history."),
    (["COMMAND": "check", "ARGUMENTS": "it's"], "a quotation mark lacks the one that ends it"),
  ]

  @Test("refuses what it does not offer", arguments: refusals)
  func refuses(_ inputs: [String: String], _ sentence: String) throws {
    try withRunner { site in
      let result = try act(site, inputs)
      #expect(result.exitCode == 2 && result.output.contains("::error::"))
      #expect(result.output.contains(sentence), "\(result.output)")
    }
  }

  @Test("has an input and an output for each that its script reads and writes")
  func description() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: projectFolder.appending(path: path), encoding: .utf8)
    }
    let script = try text("Packaging/action")
    let action = PlainYAML(try text("action.yml").split(separator: "\n"))
    let read = Set(script.matches(of: /INPUT_([A-Z_]+)/).map { String($0.1) })
    let inputs = (action["inputs"]?.members ?? []).map {
      $0.key.uppercased().replacing("-", with: "_")
    }
    #expect(Set(inputs) == read)
    let written = Set(script.matches(of: /echo "([a-z-]+)=/).map { String($0.1) })
    #expect(Set((action["outputs"]?.members ?? []).map(\.key)) == written)
  }
}
#endif
