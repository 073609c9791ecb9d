import APNS
import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import PushInbox
@testable import WebServer

@Suite("The description of the API")
struct DescriptionTests {
  private static let description = try? APIDescription("inbox-api.json")
  static let calls = description?.calls ?? []

  @Test("has every call, and no other")
  func calls() {
    let described = Set(Self.calls.map { "\($0.method) \($0.path)" })
    let routes = Set(InboxAPI.routes.map { "\($0.method) \(InboxAPI.prefix)\($0.path)" })
    #expect(described == routes && routes.count == InboxAPI.routes.count)
  }

  @Test("is true of every call")
  func truth() throws {
    let description = try #require(Self.description)
    for call in Self.calls {
      let inbox = try TestInbox()
      inbox.receive(2)
      let content = call.operation["responses"]?["200"]?["content"]
      if content?["text/event-stream"] != nil {
        let connection = try inbox.connect()
        connection.send(call.method, call.example)
        #expect(try EventReader(connection).next()?.name == "hello")
        continue
      }
      let reply = try inbox.ask(call.method, call.example, [:], call.body)
      #expect(reply.status == 200, "\(call.testDescription): \(reply.text)")
      let schema = try #require(content?["application/json"]?["schema"])
      let faults = JSONSchema(description.resolved(schema)).faults(in: try reply.json)
      #expect(faults == [], "\(call.testDescription)")
    }
  }

  @Test("has a document with the server's limits")
  func limits() throws {
    let path = URL(filePath: #filePath).appending(path: "../../../docs/emulator.md")
    let text = try String(contentsOf: path.standardized, encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let limits = HTTPLimits()
    for sentence in [
      "At most \(limits.connections) connections are open",
      "At most \(limits.awaitedHeads) of them may be waiting",
      "has \(limits.headMilliseconds / 1000) seconds, however slowly it comes, and "
        + "\(HTTPHead.sizeLimit >> 10) KiB",
      "silent for \(limits.idleSeconds) seconds", "\(Places.limit) clients can follow",
      "\(HTTPHead.targetLimit >> 10) KiB of them for path and query with at most "
        + "\(HTTPHead.parameterLimit) parameters",
    ] { #expect(text.contains(sentence)) }
  }

  @Test("is true of a push with a repeated header")
  func repeatedHeader() throws {
    let description = try #require(Self.description)
    let inbox = try TestInbox()
    inbox.receive(adding: [DraftField(.topic, "com.example.other")])
    let push = try inbox.call("pushes/1").json
    #expect(push["headers"]?["apns-topic"] == ["com.example.shop", "com.example.other"])
    let schema = try #require(description.json["components"]?["schemas"]?["Push"])
    #expect(JSONSchema(description.resolved(schema)).faults(in: push) == [])
  }

  @Test("says how every call is refused")
  func refusals() throws {
    let description = try #require(Self.description)
    let inbox = try TestInbox()
    for call in Self.calls {
      let path = call.path.replacing("{id}", with: "99")
      var cases =
        [
          ("401", ["authorization": nil], path), ("421", ["host": "evil.example"], path),
          ("403", ["origin": "http://evil.example"], path),
        ] as [(String, [String: String?], String)]
      if call.method != "GET" { cases.append(("415", ["content-type": nil], path)) }
      if path != call.path { cases.append(("404", [:], path)) }
      cases.append(("400", [:], path + "?nonsense=1"))
      for (status, headers, path) in cases {
        let reply = try inbox.ask(call.method, path, headers)
        let response = try #require(
          call.operation["responses"]?[status], "\(call.testDescription) \(status)")
        #expect("\(reply.status)" == status, "\(call.testDescription): \(reply.text)")
        let schema = description.resolved(response)["content"]?["application/json"]?["schema"]
        #expect(JSONSchema(try #require(schema)).faults(in: try reply.json) == [])
      }
    }
  }
}
