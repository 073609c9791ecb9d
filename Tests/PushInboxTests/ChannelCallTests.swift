import APNS
import Foundation
import JSONText
import SendingSupport
import Testing

@testable import PushEmulator
@testable import PushInbox
@testable import WebServer

@Suite("The calls for channels")
struct ChannelCallTests {
  private static let id = "AAAAAAAAAAAAAAAAAAAA+w=="
  private let inbox: TestInbox

  init() throws { inbox = try TestInbox() }

  private func entry(_ id: String = id, _ more: String = "") -> String {
    #"{"id": "\#(id)", "bundleID": "com.example.shop"\#(more)}"#
  }

  @Test("register channels, and tell them as the emulator has them")
  func channels() throws {
    #expect(try inbox.call("channels").json == ["channels": []])
    let created = #", "store": true, "created": "2026-11-23T10:00:00Z""#
    let body = #"{"channels": [\#(entry(Self.id, created))]}"#
    let json: JSON = [
      "channels": [
        [
          "id": JSON(.string(Self.id)), "bundleID": "com.example.shop", "store": true,
          "created": "2026-11-23T10:00:00.000Z",
        ]
      ]
    ]
    #expect(try inbox.call("PUT", "channels", body).json == json)
    let reply = try inbox.call("channels")
    #expect(try reply.json == json && inbox.emulator.channels.map(\.policy) == [.latest])
    #expect(try inbox.call("PUT", "channels", reply.text).json == json)
    #expect(try inbox.call("PUT", "channels", #"{"channels": []}"#).json == ["channels": []])
  }

  @Test("take a channel that stores nothing, created now, unless it says more")
  func defaults() throws {
    let reply = try inbox.call("PUT", "channels", #"{"channels": [\#(entry())]}"#)
    #expect(try reply.json["channels"]?.array?.first?["store"] == false)
    #expect(try #require(inbox.emulator.channels.first).created > 1_700_000_000)
  }

  static let mistakes = [
    "{}", #"{"channels": [{}]}"#, #"{"channels": [{"id": "AAAA"}]}"#,
    #"{"channels": [{"id": "%", "bundleID": "com.example.shop"}]}"#,
    #"{"channels": [{"id": "AAAA", "bundleID": "com..shop"}]}"#,
    #"{"channels": [{"id": "AAAA", "bundleID": "com.example.shop.push-type.liveactivity"}]}"#,
    #"{"channels": [{"id": "AAAA", "bundleID": "com.example.shop", "created": "soon"}]}"#,
    #"{"channels": [{"id": "AAAA", "bundleID": "com.example.shop", "name": "x"}]}"#,
    #"""
    {"channels": [{"id": "AAAA", "bundleID": "a.b"}, {"id": "AAAA", "bundleID": "a.c"}]}
    """#,
  ]

  @Test("change nothing when something is wrong", arguments: mistakes)
  func mistake(_ body: String) throws {
    _ = try inbox.call("PUT", "channels", #"{"channels": [\#(entry())]}"#)
    #expect(try inbox.call("PUT", "channels", body).status == 400)
    #expect(inbox.emulator.channels.map(\.id.text) == [Self.id])
  }

  static let amounts: [(shop: Int, other: Int, problems: Int)] = [
    (2, 2, 0), (3, 0, 1), (2, 3, 1), (4, 0, 1), (3, 3, 2),
  ]

  @Test(
    "take as many of an app as the emulator has room for, and tell of more once", arguments: amounts
  )
  func limit(_ row: (shop: Int, other: Int, problems: Int)) throws {
    let inbox = try TestInbox(channels: 2)
    let apps =
      Array(repeating: "com.example.shop", count: row.shop)
      + Array(repeating: "com.example.other", count: row.other)
    let entries = apps.enumerated().map { index, app in
      let id = Data([UInt8](repeating: 0, count: 15) + [UInt8(index)]).base64EncodedString()
      return #"{"id": "\#(id)", "bundleID": "\#(app)"}"#
    }
    let body = #"{"channels": [\#(entries.joined(separator: ","))]}"#
    let reply = try inbox.call("PUT", "channels", body)
    #expect(reply.status == (row.problems == 0 ? 200 : 400), "\(reply.text)")
    let problems = try reply.json["problems"]?.array ?? []
    #expect(problems.count == row.problems)
    #expect(problems.allSatisfy { $0["message"]?.string?.contains("more than 2 ") == true })
    #expect(inbox.emulator.channels.count == (row.problems == 0 ? apps.count : 0))
  }

  @Test("list the requests of one channel, whether its plus signs are escaped or not")
  func filter() throws {
    inbox.receive(2)
    var push = ReceivedPush(connection: 1, stream: 1, status: 200)
    (push.id, push.channel) = (3, Self.id)
    var pushes = [push]
    inbox.received.take(&pushes)
    for text in [Self.id, Self.id.replacing("+", with: "%2B")] {
      let json = try inbox.call("pushes?channel=\(text)").json
      #expect(json["pushes"]?.array?.map { $0["id"] } == [3])
    }
    #expect(try inbox.call("pushes?channel=AAAA").json["pushes"] == [])
  }
}
