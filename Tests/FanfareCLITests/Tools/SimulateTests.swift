import APNS
import CommandLineKit
import Foundation
import JSONText
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Reporting
@testable import Settings
@testable import Tools

@Suite("A simulator's file")
struct SimulateTests {
  static let payload = #"{"Simulator Target Bundle": "com.example.file", "aps": {"alert": "Hi"}}"#

  static let bundleIDs: [(words: [String], variable: String?, id: String)] = [
    ([], nil, "com.example.file"), ([], "com.example.variable", "com.example.file"),
    (["--bundle-id", "com.example.option"], nil, "com.example.option"),
  ]

  @Test("is for the app of the option, else of the file", arguments: bundleIDs)
  func bundleID(_ row: (words: [String], variable: String?, id: String)) throws {
    try withFile("p.apns", Self.payload) { path in
      let file = try file(["--payload", path] + row.words, variable: row.variable)
      #expect(file.bundleID.text == row.id)
      #expect(file.payload.keys == ["aps"])
      let named = try self.file([path] + row.words, variable: row.variable)
      #expect(named.bundleID == file.bundleID)
      expectRefusal(
        "'--payload' and '\(path)' cannot be used together.", [path, "--payload", path])
    }
  }

  @Test("is for the variable's app when nobody names another")
  func variable() throws {
    let file = try file(["--title", "Hi"], variable: "com.example.variable")
    #expect(file.bundleID.text == "com.example.variable")
    expectRefusal("'--bundle-id ID' is required.", ["--title", "Hi"])
    expectRefusal("--bundle-id cannot be 'a..b'.", ["--title", "Hi", "--bundle-id", "a..b"])
  }

  @Test("of a scenario has its bundle id; a type that simulators do not take is refused")
  func scenario() throws {
    let text = """
      {bundleID: "com.example.ride", notification: {type: "alert", payload: {aps: {badge: 1}}}}
      """
    let id = try withFile("ride.json5", text) { try file([$0]).bundleID.text }
    #expect(id == "com.example.ride")
    for type in ["voip", "liveactivity"] {
      let other = text.replacing("alert", with: type)
      try withFile("other.json5", other) { path in expectRefusal(Self.refused(type), [path]) }
    }
  }

  @Test("is made of JSON on the command line, or of an example, with changes")
  func inline() throws {
    let words = ["--bundle-id", "a.b", "--set", "aps.badge:=2"]
    let own = try file(["--payload", #"{"aps":{"alert":"Hi"}}"#] + words)
    #expect(own.payload["aps"] == ["alert": "Hi", "badge": 2])
    #expect(try file(["--example", "alert/sound"] + words).payload["aps"]?["badge"] == 2)
    expectRefusal(Self.refused("voip"), ["--example", "voip/group-call", "--bundle-id", "a.b"])
    expectRefusal(Self.refused("liveactivity"), ["--event", "end", "--bundle-id", "a.b"])
  }

  @Test("of a payload in a folder of another type is refused")
  func folderType() throws {
    try withTemporaryFolder { folder in
      try folder.makeFolder("voip")
      let path = try folder.write("voip/p.json", Self.payload)
      expectRefusal(Self.refused("voip"), ["--payload", path])
    }
  }

  @Test("is written whole, readable for all, with nothing left beside it")
  func written() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("out.apns", "old")
      let words = ["--title", "Hi", "--bundle-id", "a.b", "--output", path]
      #expect(try SimulateCommand.parse(words).run(context()).exitCode == .success)
      #expect(try folder.names() == ["out.apns"])
      #expect(try folder.text("out.apns").hasSuffix("}\n"))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o644)
    }
  }

  @Test("takes the place of what a link leads to, and leaves the link")
  func link() throws {
    try withTemporaryFolder { folder in
      try folder.write("real.apns", "old")
      let link = folder.file("link.apns")
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: folder.file("real.apns"))
      let words = ["--title", "Hi", "--bundle-id", "a.b", "--output", link]
      #expect(try SimulateCommand.parse(words).run(context()).exitCode == .success)
      #expect(try folder.text("real.apns").contains("a.b"))
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
      #expect(target == folder.file("real.apns"))
    }
  }

  @Test("is not written over a folder or into one that is missing")
  func unwritable() throws {
    try withTemporaryFolder { folder in
      let places = [
        (folder.path, "is a folder."), (folder.file("none/out.apns"), "No such file or directory."),
      ]
      for (path, says) in places {
        expectRefusal(
          "The simulator file \(path) ", ["--title", "Hi", "--bundle-id", "a.b", "--output", path])
        expectRefusal(says, ["--title", "Hi", "--bundle-id", "a.b", "--output", path])
      }
      let names = try folder.names()
      #expect(names.isEmpty)
    }
  }

  @Test("is written for each payload and scenario of a folder, but for those no simulator takes")
  func folder() throws {
    try withTemporaryFolder { folder in
      for name in ["in/alert", "in/voip"] { try folder.makeFolder(name) }
      try folder.write("in/alert/p.json", #"{"aps": {"alert": "Hi"}}"#)
      try folder.write("in/voip/call.json", #"{"caller": "Ada"}"#)
      try folder.write("in/README.md", "Payloads")
      let step = "{notification: {payload: {aps: {badge: 1}}}}"
      try folder.write("in/ride.json5", "{steps: [\(step), \(step)]}")
      let words = [folder.file("in"), "--bundle-id", "a.b", "--output", folder.file("new/out")]
      #expect(try SimulateCommand.parse(words).run(context()).exitCode == .success)
      #expect(try folder.text("new/out/alert/p.apns").contains("a.b"))
      #expect(try folder.text("new/out/ride-2.apns").contains("badge"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("new/out"))
      #expect(names.sorted() == ["alert", "ride-1.apns", "ride-2.apns"])
    }
  }

  @Test("of a folder is written for all of it or for nothing")
  func badFolder() throws {
    try withTemporaryFolder { folder in
      try folder.makeFolder("in")
      let (input, output) = (folder.file("in"), folder.file("out"))
      let words = [input, "--bundle-id", "a.b", "--output", output]
      expectRefusal("has no payload and no scenario for a simulator", words)
      try folder.write("in/p.json", Self.payload)
      expectRefusal(
        "'--output DIR' is required.",
        [input, "--bundle-id", "a.b", "--output", "-", "--title", "Hi", "--payload", "{}"])
      try folder.write("in/q.json", "{")
      expectRefusal("Unexpected end of text", words)
      expectRefusal("'--output DIR' is required.", [input, "--bundle-id", "a.b"])
      try folder.write("in/q.json", Self.payload)
      expectRefusal("'--output DIR' is required.", [input, "--bundle-id", "a.b"])
      try folder.write("in/p.apns", Self.payload)
      expectRefusal("would both become p.apns.", words)
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }

  @Test("goes to one simulator only")
  func devices() {
    expectRefusal(
      "'--booted' and '--device' cannot be used together.",
      ["--title", "Hi", "--bundle-id", "a.b", "--booted", "--device", "iPhone"])
  }

  /// What is said of a type that a simulator does not take.
  private static func refused(_ type: String) -> String {
    "A simulator does not accept pushes of type \"\(type)\" from a file."
  }

  private func expectRefusal(
    _ part: String, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectFailure(part, sourceLocation: sourceLocation) {
      try SimulateCommand.parse(words).run(context())
    }
  }

  private func file(_ words: [String], variable: String? = nil) throws -> SimulatorFile {
    let variables = variable.map { [EnvironmentVariable.bundleID.rawValue: $0] } ?? [:]
    let command = try SimulateCommand.parse(words)
    return try Simulate(
      scenario: command.scenario, options: command.options, output: nil, device: nil,
      context: context(variables)
    ).steps()[0].file
  }
}
