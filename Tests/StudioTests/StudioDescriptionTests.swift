import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import Studio
@testable import WebServer

@Suite("The description of the studio's API")
struct StudioDescriptionTests {
  private static let description = try? APIDescription("studio-api.json")
  private static let calls = description?.calls ?? []

  @Test("has every call, and no other")
  func routes() {
    let described = Set(Self.calls.map { "\($0.method) \($0.path)" })
    let routes = Set(StudioAPI.routes.map { "\($0.method) \(StudioAPI.prefix)\($0.path)" })
    #expect(described == routes && routes.count == StudioAPI.routes.count)
  }

  /// The example of a call, with what only this studio knows.
  private func reply(_ call: APIDescription.Call, _ studio: TestStudio) throws -> HTTPReply {
    var (path, body) = (call.example, call.body)
    let version = try studio.call("GET", "/files/scenarios%2Fhello.json5").json["version"]?.string
    if path.contains("BIN") {
      let deleted = try studio.call(
        "DELETE", "/files/scenarios%2Fhello.json5", ["version": JSON(.string(version ?? ""))])
      path.replace("BIN", with: try #require(try deleted.json["bin"]?.string))
    }
    body.replace("VERSION", with: version ?? "")
    return try studio.ask(call.method, path, [:], body)
  }

  @Test("is true of every call")
  func truth() throws {
    let description = try #require(Self.description)
    for call in Self.calls {
      try withStudio { studio in
        try studio.fanfare.folder.put("shop/scenarios/hello.json5", TestStudio.scenario)
        try studio.fanfare.folder.put("shop/scenarios/hello.json", #"{"aps": {"alert": "Hi"}}"#)
        #expect(try studio.begin(["run", "hello.json5"]).status == 202)
        let responses = call.operation["responses"]
        let good = ["200", "202"].compactMap { code in responses?[code].map { (code, $0) } }
        let (code, response) = try #require(good.first)
        if response["content"]?["text/event-stream"] != nil {
          return #expect(try studio.follow(1)["exitCode"] == 0)
        }
        let reply = try self.reply(call, studio)
        #expect("\(reply.status)" == code, "\(call.testDescription): \(reply.text)")
        let schema = try #require(response["content"]?["application/json"]?["schema"])
        let faults = JSONSchema(description.resolved(schema)).faults(in: try reply.json)
        #expect(faults == [], "\(call.testDescription)")
      }
    }
  }

  @Test("says how every call is refused")
  func refusals() throws {
    let description = try #require(Self.description)
    try withStudio { studio in
      for call in Self.calls {
        let path = call.path.replacing("{id}", with: "99").replacing("{path}", with: "x.json")
        var cases: [(String, [String: String?], String)] = [
          ("401", ["authorization": nil], path), ("421", ["host": "evil.example"], path),
          ("403", ["origin": "http://evil.example"], path), ("400", [:], path + "?nonsense=1"),
        ]
        if call.method != "GET" { cases.append(("415", ["content-type": nil], path)) }
        if path != call.path, call.method == "GET" { cases.append(("404", [:], path)) }
        for (status, headers, path) in cases {
          let reply = try studio.ask(call.method, path, headers)
          let response = try #require(
            call.operation["responses"]?[status], "\(call.testDescription) \(status)")
          #expect("\(reply.status)" == status, "\(call.testDescription): \(reply.text)")
          let schema = description.resolved(response)["content"]?["application/json"]?["schema"]
          #expect(JSONSchema(try #require(schema)).faults(in: try reply.json) == [])
        }
      }
    }
  }
}
