import APNS
import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import PushInbox
@testable import WebServer

/// docs/inbox-api.json, in OpenAPI 3.1.
private struct Description {
  struct Call: CustomTestStringConvertible {
    var method: String
    var path: String
    var operation: JSON

    var testDescription: String { "\(method) \(path)" }

    /// The path with the example of each parameter that has one.
    var example: String {
      var (path, query) = (path, [String]())
      for parameter in operation["parameters"]?.array ?? [] {
        guard let name = parameter["name"]?.string, let value = parameter["example"] else {
          continue
        }
        let text = value.string ?? value.encodedString()
        switch parameter["in"]?.string {
        case "path": path = path.replacing("{\(name)}", with: text)
        case "query": query.append("\(name)=\(text)")
        default: break
        }
      }
      return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    var body: String {
      let content = operation["requestBody"]?["content"]?["application/json"]
      return content?["example"]?.encodedString() ?? ""
    }
  }

  let json: JSON

  init() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/inbox-api.json")
    json = try JSONReader().read(Array(try Data(contentsOf: file.standardizedFileURL)))
  }

  var calls: [Call] {
    (json["paths"]?.object?.members ?? []).flatMap { path in
      (path.value.object?.members ?? []).map {
        Call(method: $0.key.uppercased(), path: path.key, operation: $0.value)
      }
    }
  }

  /// A value with what its references stand for.
  func resolved(_ value: JSON) -> JSON {
    if let reference = value["$ref"]?.string {
      let names = reference.split(separator: "/").dropFirst().map(String.init)
      return resolved(names.reduce(json) { $0[$1] ?? nil })
    }
    switch value.content {
    case .array(let elements): return JSON(.array(elements.map(resolved)))
    case .object(let object):
      return JSON(
        .object(
          JSONObject(object.members.map { JSONMember(key: $0.key, value: resolved($0.value)) })))
    default: return value
    }
  }
}

@Suite("The description of the API")
struct DescriptionTests {
  private static let description = try? Description()
  fileprivate static let calls = description?.calls ?? []

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
