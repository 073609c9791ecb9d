import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

/// A studio of the folder `shop`, which has a scenario and its payload.
final class TestStudio {
  static let scenario = """
    // Keep this comment.
    {name: "Hello", bundleID: "com.example.shop", environment: "emulator",
     recipients: ["\(tokenText(1))"], notification: {payload: "hello.json"}}
    """

  let fanfare: Fanfare
  let program: Program
  let port: UInt16
  let key: String

  init(_ fanfare: Fanfare, environment: [String: String] = [:]) throws {
    self.fanfare = fanfare
    try fanfare.folder.put("shop/hello.json5", Self.scenario)
    try fanfare.folder.put("shop/hello.json", #"{"aps": {"alert": "Hi"}}"#)
    program = try fanfare.start(["studio", "shop"], environment: environment)
    let url = try #require(program.readLine())
    let parts = url.split(whereSeparator: ":/#=".contains).map(String.init)
    try #require(parts.count == 5 && parts[1] == "127.0.0.1" && parts[3] == "key", "\(url)")
    (port, key) = (try #require(UInt16(parts[2])), parts[4])
  }

  deinit { program.send(SIGKILL) }

  /// A path in the project.
  func file(_ path: String) -> String { fanfare.folder.file("shop/" + path) }

  func connect() throws -> HTTPConnection { try HTTPConnection(port: port, key: key) }

  /// Asks on a connection of its own. No answer may have a secret.
  func ask(
    _ method: String, _ path: String, _ headers: [String: String?] = [:], _ body: String = ""
  ) throws -> HTTPReply {
    let connection = try connect()
    connection.send(method, path, headers, body)
    let reply = try #require(connection.reply())
    expectHarmless(reply.text)
    #expect(!reply.text.contains(key))
    return reply
  }

  func call(_ method: String, _ path: String = "", _ body: JSON? = nil) throws -> HTTPReply {
    try ask(method, "/api/v1/studio" + path, [:], body?.encodedString() ?? "")
  }

  /// What a command printed that was called.
  func output(_ words: String...) throws -> JSON {
    let reply = try call("POST", "/calls", ["words": Self.array(words)])
    #expect(reply.status == 200, "\(reply.text)")
    return try reply.json
  }

  /// What a command would do.
  func plan(_ words: [String]) throws -> JSON {
    let reply = try call("POST", "/calls", ["words": Self.array(words + ["--plan", "--json"])])
    let output = try reply.json["output"]?.string ?? ""
    return try JSONReader().read(output)
  }

  /// Begins a run.
  ///
  /// - Parameter plan: what a person has seen; nil for what is planned now.
  func begin(_ words: [String], seeing plan: JSON? = nil) throws -> HTTPReply {
    let plan = try plan ?? self.plan(words)
    return try call(
      "POST", "/runs",
      ["words": Self.array(words), "plan": plan["id"] ?? nil, "pushes": plan["pushes"] ?? nil])
  }

  /// Follows a run until it is in a state.
  @discardableResult
  func follow(_ id: Int, until isThere: (JSON) -> Bool = { _ in false }) throws -> JSON {
    let connection = try connect()
    connection.send("GET", "/api/v1/studio/runs/\(id)/events")
    let events = try EventReader(connection)
    var last: JSON = [:]
    while let event = events.next() {
      expectHarmless(event.data)
      last = try JSONReader().read(event.data)
      if isThere(last) { return last }
    }
    #expect(last["state"]?.string == "ended")
    return last
  }

  /// Runs a command to its end.
  func run(_ words: String...) throws -> JSON {
    let reply = try begin(words)
    try #require(reply.status == 202, "\(reply.text)")
    return try follow(try #require(try reply.json["id"]?.number?.int))
  }

  static func array(_ words: [String]) -> JSON { JSON(.array(words.map { JSON(.string($0)) })) }
}

/// Gives a studio an empty folder.
func withStudio<Result>(
  environment: [String: String] = [:], _ body: (TestStudio) throws -> Result
) throws -> Result {
  try withFanfare { try body(TestStudio($0, environment: environment)) }
}

extension TemporaryFolder {
  /// Writes a file, and makes its folders.
  func put(_ path: String, _ text: String) throws {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    if !folder.isEmpty { try makeFolder(folder) }
    try write(path, text)
  }
}
