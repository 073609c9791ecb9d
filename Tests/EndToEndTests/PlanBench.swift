import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Apple's hosts, commands that lead to production, and all that lies in the folder.
struct PlanBench {
  let fanfare: Fanfare
  let services: AppleServices

  init(_ fanfare: Fanfare) throws {
    self.fanfare = fanfare
    services = try AppleServices(
      sandbox: BusyDevices().answer, production: BusyDevices().answer)
    try fanfare.folder.write("ca.pem", services.authorities)
    try fanfare.folder.write("list.txt", tokenList(3))
    try fanfare.folder.write("p.json", #"{"aps": {"alert": "Hi"}}"#)
    try fanfare.folder.write(
      "s.json5",
      """
      {name: "Two", bundleID: "a.b", recipients: ["list.txt"], steps: [
        {notification: {payload: {aps: {alert: "1"}}}},
        {notification: {payload: {aps: {alert: "2"}}}}]}
      """)
  }

  /// The pushes that arrived.
  var count: Int { services.production.requestCount + services.sandbox.requestCount }

  /// Where everything goes, without saying which environment.
  var way: [String] { ["--ca", "ca.pem", "--proxy", services.proxy.url] }

  var place: [String] { ["--env", "production"] + way + credentials }

  var send: [String] {
    ["send", "--bundle-id", "com.example.app", "--payload", "p.json", "--tokens", "list.txt"]
      + place
  }

  /// Begins run 1, of which two pushes are left.
  func beginRun() throws {
    let busy = BusyDevices.numbers.prefix(2).flatMap { ["--to", tokenText($0)] }
    #expect(try fanfare.run(send + busy).exitCode == 4)
  }

  /// The plan of a command, which must leave no trace.
  func plan(
    _ words: [String], environment: [String: String] = [:], input: Program.Input = .nothing
  ) throws -> JSON {
    let (before, sent, came) = (try contents(), count, services.proxy.connectionCount)
    let result = try fanfare.run(
      words + ["--plan", "--json"], input: input, environment: environment)
    #expect(result.exitCode == 0, "\(words): \(result.errors)")
    #expect(try contents() == before, "\(words)")
    #expect(count == sent && services.proxy.connectionCount == came)
    #expect(!result.output.contains(tokenText(1)) && !result.output.contains("[y/N]"))
    return try JSON(text: result.output)
  }

  /// Every file with its bytes, without what the test itself and SQLite's readers leave.
  private func contents() throws -> [String: Data] {
    let root = fanfare.folder.path
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter { name in
      !name.hasPrefix(".errors-")
        && !["-wal", "-shm", ".lock"].contains(where: name.hasSuffix)
    }
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, FileManager.default.contents(atPath: "\(root)/\(name)") ?? Data())
      })
  }

  /// Runs a command with consent to a plan.
  func confirm(
    _ words: [String], _ id: String, environment: [String: String] = [:]
  ) throws -> (result: Program.Result, arrived: Int) {
    let before = count
    let result = try fanfare.run(words + ["--yes=\(id)"], environment: environment)
    return (result, count - before)
  }
}

extension JSON {
  /// The ID of a plan.
  var planID: String { get throws { try #require(self["id"]?.string) } }
}
