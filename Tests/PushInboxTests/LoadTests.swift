import APNS
import CProcess
import Foundation
import HTTP2
import JSONText
import SendingSupport
import Testing

@testable import PushInbox
@testable import WebServer

#if canImport(Glibc)
private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
private let openFiles = RLIMIT_NOFILE
#endif

@Suite("An inbox under load", .serialized)
struct LoadTests {
  @Test("answers again when hundreds of idle connections are gone")
  func connections() throws {
    var limit = rlimit()
    getrlimit(openFiles, &limit)
    limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 4096))
    setrlimit(openFiles, &limit)
    let inbox = try TestInbox()
    var idle = try (1...400).map { _ in try inbox.connect() }
    #expect(idle.count == 400)
    idle.removeAll()
    #expect(try inbox.call("health").status == 200)
  }

  @Test(
    "answers others while as many as it takes are silent, and keeps the one that is in use",
    .timeLimit(.minutes(15)))
  func silentConnections() throws {
    var limits = HTTPLimits()
    // Nothing else would ever close one of them.
    (limits.connections, limits.awaitedHeads, limits.idleSeconds) = (3, 2, 0)
    limits.headMilliseconds = 1 << 40
    let listener = try Listener(port: 0)
    let server = try HTTPServer(listener, Greeting(), limits)
    defer { server.stop() }
    let inUse = try HTTPConnection(port: listener.port, key: "")
    inUse.send("GET", "/")
    #expect(inUse.reply()?.text == "Hello")
    let silent = try (1...4).map { _ in try HTTPConnection(port: listener.port, key: "") }
    let last = try HTTPConnection(port: listener.port, key: "")
    last.send("GET", "/")
    #expect(last.reply()?.text == "Hello")
    #expect(silent.allSatisfy { $0.reply() == nil })
    inUse.send("GET", "/")
    #expect(inUse.reply()?.text == "Hello")
  }

  @Test(
    "answers others while as many as it takes send their bodies slowly", .timeLimit(.minutes(15)))
  func slowBodies() throws {
    var limits = HTTPLimits()
    (limits.connections, limits.awaitedHeads, limits.idleSeconds) = (4, 2, 0)
    limits.headMilliseconds = 1 << 40
    let listener = try Listener(port: 0)
    let server = try HTTPServer(listener, Greeting(), limits)
    defer { server.stop() }
    let inUse = try HTTPConnection(port: listener.port, key: "")
    inUse.send("GET", "/")
    #expect(inUse.reply()?.text == "Hello")
    let slow = try (1...4).map { _ in
      let connection = try HTTPConnection(port: listener.port, key: "")
      connection.send(raw: "PUT / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\nslow")
      // What came before this answer has been read.
      inUse.send("GET", "/")
      #expect(inUse.reply()?.text == "Hello")
      return connection
    }
    let last = try HTTPConnection(port: listener.port, key: "")
    last.send("GET", "/")
    #expect(last.reply()?.text == "Hello")
    withExtendedLifetime(slow) {}
  }

  @Test("closes a connection whose body takes too long", .timeLimit(.minutes(15)))
  func slowBody() throws {
    var limits = HTTPLimits()
    (limits.headMilliseconds, limits.idleSeconds) = (1, 0)
    let listener = try Listener(port: 0)
    let server = try HTTPServer(listener, Greeting(), limits)
    defer { server.stop() }
    let slow = try HTTPConnection(port: listener.port, key: "")
    slow.send(raw: "PUT / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\nslow")
    #expect(slow.reply() == nil)
  }

  @Test("closes a connection whose head takes too long", .timeLimit(.minutes(15)))
  func slowHead() throws {
    var limits = HTTPLimits()
    (limits.headMilliseconds, limits.idleSeconds) = (1, 0)
    let listener = try Listener(port: 0)
    let server = try HTTPServer(listener, Greeting(), limits)
    defer { server.stop() }
    let slow = try HTTPConnection(port: listener.port, key: "")
    slow.send(raw: "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-sl")
    #expect(slow.reply() == nil)
  }

  /// Greets whoever asks, or answers otherwise.
  private struct Greeting: HTTPService {
    var body: @Sendable () -> HTTPResponse.Body = { .bytes(Array("Hello".utf8)) }

    var bodyLimit: Int { 0 }
    func isKnown(_ head: HTTPRequest) -> Bool { head.method == "GET" }
    func isLong(_ request: HTTPRequest) -> Bool { false }
    func refusal(of head: HTTPRequest) -> HTTPResponse? { nil }
    func answer(_ request: HTTPRequest) -> HTTPResponse {
      HTTPResponse(body())
    }
    func callOnChange(_ call: @escaping @Sendable () -> Void) {}
  }

  @Test("serves as many followers as it takes connections")
  func followers() throws {
    let inbox = try TestInbox()
    let readers = try (1...100).map { _ in
      let connection = try inbox.connect()
      connection.send("GET", "/api/v1/events")
      return try EventReader(connection)
    }
    #expect(readers.allSatisfy { $0.next()?.name == "hello" })
    inbox.receive(3)
    for id in 1...3 { #expect(readers.allSatisfy { $0.next()?.id == id }) }
  }

  @Test("has places for so many followers, and one is free as soon as one of them has gone")
  func places() throws {
    let inbox = try TestInbox()
    func follow() throws -> (connection: HTTPConnection, head: HTTPReply) {
      let connection = try inbox.connect()
      connection.send("GET", "/api/v1/events")
      return (connection, try #require(connection.head()))
    }
    var followers = try (1...Places.limit).map { _ in try follow() }
    #expect(followers.allSatisfy { $0.head.status == 200 })
    let refused = try inbox.call("events")
    #expect(refused.status == 503)
    #expect(try refused.json["message"]?.string?.hasPrefix("\(Places.limit) clients") ?? false)
    #expect(try inbox.call("health").status == 200)
    followers.removeLast()
    while try follow().head.status == 503 {}
  }

  /// Has nothing to send, and tells when it is given up.
  private final class Silence: BodyStream {
    private let end: DispatchSemaphore

    init(_ end: DispatchSemaphore) { self.end = end }

    deinit { end.signal() }

    func next(now: Int64) -> BodyPiece { .nothing(until: .max) }
  }

  @Test(
    "gives up a follower that has gone, though it has nothing to send to it",
    .timeLimit(.minutes(15)))
  func gone() throws {
    let end = DispatchSemaphore(value: 0)
    let listener = try Listener(port: 0)
    let server = try HTTPServer(listener, Greeting { .stream(Silence(end)) })
    defer { server.stop() }
    var follower: HTTPConnection? = try HTTPConnection(port: listener.port, key: "")
    follower?.send("GET", "/")
    #expect(follower?.head()?.status == 200)
    follower = nil
    // Without its end, this would wait for good.
    end.wait()
  }

  @Test("keeps nobody waiting for a long request, and tells only its first problems")
  func longRequest() throws {
    let inbox = try TestInbox()
    let connection = try inbox.connect()
    let count = 200_000
    let body = #"{"rules":[\#(Array(repeating: "{}", count: count).joined(separator: ","))]}"#
    connection.send("PUT", "/api/v1/script", [:], body)
    #expect(try inbox.call("health").status == 200)
    #expect(!connection.isAnswered, "it was answered first")
    // What wakes those that follow does not wake this one.
    while !connection.isAnswered { inbox.receive() }
    let reply = try #require(connection.reply())
    #expect(reply.status == 400 && reply.body.count < 50_000)
    let problems = try #require(try reply.json["problems"]?.array)
    #expect(problems.count == ProblemList.limit + 1)
    #expect(problems.last?["message"]?.string == "And \(count - ProblemList.limit) more.")
    #expect(try inbox.call("script").json == [:])
  }

  @Test("lists many devices, while it answers others")
  func longList() throws {
    let inbox = try TestInbox()
    let devices = (0..<3000).map { #"{"token":"\#($0 + 100_000)","topic":"com.example.shop"}"# }
    let body = #"{"devices":[\#(devices.joined(separator: ","))]}"#
    #expect(try inbox.call("PUT", "devices", body).json["devices"]?.array?.count == 3000)
    let lists = try (1...3).map { _ in
      let connection = try inbox.connect()
      connection.send("GET", "/api/v1/devices")
      return connection
    }
    #expect(try inbox.call("health").status == 200)
    for list in lists {
      #expect(try #require(list.reply()).json["devices"]?.array?.count == 3000)
    }
  }

  @Test("stops while a long request is answered")
  func stop() throws {
    let inbox = try TestInbox()
    let connection = try inbox.connect()
    let body = #"{"rules":[\#(Array(repeating: "{}", count: 50_000).joined(separator: ","))]}"#
    connection.send("PUT", "/api/v1/script", [:], body)
    #expect(try inbox.call("health").status == 200)
    inbox.inbox.stop()
    let status = connection.reply()?.status
    #expect(status == nil || status == 400)
  }

  @Test("refuses a body that is too long before it reads it")
  func longBody() throws {
    let inbox = try TestInbox()
    let connection = try inbox.connect()
    let length = InboxAPI.bodyLimit + 1
    connection.send("PUT", "/api/v1/script", ["content-length": "\(length)"])
    let reply = try #require(connection.reply())
    #expect(reply.status == 413)
    #expect(try reply.json["fix"] == "Send less.")
  }

  @Test("takes a body of the greatest length, and no byte more", arguments: [false, true])
  func bodyLimit(isChunked: Bool) throws {
    let inbox = try TestInbox()
    for (length, status) in [(4 << 20, 200), (4 << 20 + 1, 413)] {
      let body = "{" + String(repeating: " ", count: length - 2) + "}"
      let connection = try inbox.connect()
      if isChunked {
        connection.send(
          "PUT", "/api/v1/script", ["content-length": nil, "transfer-encoding": "chunked"],
          "\(String(length, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
      } else if status == 200 {
        connection.send("PUT", "/api/v1/script", [:], body)
      } else {
        connection.send("PUT", "/api/v1/script", ["content-length": "\(length)"])
      }
      #expect(connection.reply()?.status == status)
    }
  }

  @Test("refuses a body of unknown length that becomes too long")
  func endlessBody() throws {
    let inbox = try TestInbox()
    let connection = try inbox.connect()
    let chunk = String(repeating: " ", count: 0x10000)
    let body = String(repeating: "10000\r\n\(chunk)\r\n", count: 80)
    connection.send(
      "PUT", "/api/v1/script", ["content-length": nil, "transfer-encoding": "chunked"], body)
    connection.send(raw: "0\r\n\r\n")
    let reply = try #require(connection.reply())
    #expect(reply.status == 413)
    #expect(try reply.json["fix"] == "Send less.")
    #expect(try inbox.call("health").status == 200)
  }

  @Test("takes a body in chunks, and several requests on a connection")
  func chunks() throws {
    let inbox = try TestInbox()
    let connection = try inbox.connect()
    for _ in 1...3 {
      connection.send(
        "PUT", "/api/v1/clock", ["content-length": nil, "transfer-encoding": "chunked"],
        "9\r\n{\"offset\"\r\n6\r\n:\"0s\"}\r\n0\r\n\r\n")
      #expect(connection.reply()?.status == 200)
    }
  }

  @Test("refuses a head that is too long")
  func longHead() throws {
    let inbox = try TestInbox()
    let connection = try inbox.connect()
    connection.send("GET", "/api/v1/health?x=" + String(repeating: "a", count: 100_000))
    let status = connection.head()?.status
    #expect(status == nil || status == 414 || status == 431 || status == 413)
    #expect(try inbox.call("health").status == 200)
  }
}
