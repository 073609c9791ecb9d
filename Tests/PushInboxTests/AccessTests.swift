import JSONText
import SendingSupport
import Testing

@testable import PushInbox
@testable import WebServer

@Suite("Access to the inbox")
struct AccessTests {
  private let inbox: TestInbox

  init() throws { inbox = try TestInbox() }

  private func status(_ headers: [String: String?], _ path: String = "/api/v1/health") throws -> Int
  {
    try inbox.ask("GET", path, headers).status
  }

  @Test("needs the key, in one of two places")
  func key() throws {
    let key = inbox.key.text
    let other = String(key.reversed())
    #expect(try status(["authorization": nil]) == 401)
    for value in [
      "Bearer \(other)", "Bearer \(key)x", "Bearer \(key.dropLast())x",
      "Bearer x\(key.dropFirst())", "Bearer", "Bearer ", key, "Basic \(key)",
    ] {
      #expect(try status(["authorization": value]) == 401, "\(value)")
    }
    #expect(try status(["authorization": "bearer \(key)"]) == 200)
    #expect(try status(["authorization": nil], "/api/v1/health?key=\(key)") == 200)
    #expect(try status(["authorization": nil], "/api/v1/health?key=\(other)") == 401)
    let broken = "/api/v1/pushes?text=%ZZ&key=\(key)"
    #expect(try status(["authorization": nil], broken) == 400)
    let cookie = "fanfare-inbox-\(inbox.inbox.port)=\(key)"
    #expect(try status(["authorization": nil, "cookie": cookie]) == 401)
  }

  @Test("to every call needs the key, the page's files do not, and no answer has it")
  func everywhere() throws {
    for path in ["/api/v1/pushes", "/api/v1/nothing"] {
      let reply = try inbox.ask("GET", path, ["authorization": nil])
      #expect(reply.status == 401 && !reply.text.contains(inbox.key.text))
    }
    for (path, status) in [("/", 200), ("/page.js", 200), ("/nothing", 404)] {
      let reply = try inbox.ask("GET", path, ["authorization": nil])
      #expect(reply.status == status && reply.headers["set-cookie"] == nil)
      #expect(!reply.text.contains(inbox.key.text))
    }
    #expect("\(inbox.key)" == "AccessKey")
  }

  @Test("for the page's files is refused to other hosts and other sites")
  func filesOfThePage() throws {
    for path in ["/", "/page.js"] {
      #expect(try status(["authorization": nil, "host": "evil.example"], path) == 421)
      #expect(try status(["authorization": nil, "origin": "http://evil.example"], path) == 403)
    }
  }

  static let foreignHosts: [String?] = [
    nil, "", "evil.example", "evil.example:80", "localhost", "localhost:1", "127.0.0.1",
    "127.0.0.1:99999", "10.0.0.1", "127.0.0.1.evil.example", "localhost.evil.example", "[::2]",
  ]

  @Test("by another name is refused (DNS rebinding)", arguments: foreignHosts)
  func rebinding(_ host: String?) throws {
    // libmicrohttpd answers a request without a host by itself.
    let status = try status(["host": host])
    #expect(status == 421 || (host == nil && status == 400))
    if let host {
      #expect(try self.status(["host": "\(host).evil.example:\(inbox.inbox.port)"]) == 421)
    }
  }

  @Test("by any name of this machine is good")
  func names() throws {
    for name in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
      #expect(try status(["host": "\(name):\(inbox.inbox.port)"]) == 200)
    }
  }

  @Test("of a page of another site is refused")
  func origin() throws {
    let port = inbox.inbox.port
    for origin in [
      "http://evil.example", "null", "", "https://127.0.0.1:\(port)", "http://127.0.0.1",
      "http://127.0.0.1:\(port)0", "http://127.0.0.1:\(port).evil.example",
    ] {
      #expect(try status(["origin": origin]) == 403, "\(origin)")
    }
    #expect(try status(["origin": "http://127.0.0.1:\(port)"]) == 200)
    #expect(try status(["origin": "http://localhost:\(port)"]) == 403)
  }

  @Test("that changes something needs JSON's content type")
  func contentType() throws {
    for type in [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
      for (method, path) in [
        ("PUT", "script"), ("DELETE", "pushes"), ("POST", "connections/close"),
      ] {
        let reply = try inbox.ask(method, "/api/v1/\(path)", ["content-type": type], "{}")
        #expect(reply.status == 415, "\(method) \(path)")
      }
    }
    let type = "Application/JSON; charset=utf-8"
    #expect(try inbox.ask("PUT", "/api/v1/script", ["content-type": type], "{}").status == 200)
  }

  @Test("with another method says which ones there are")
  func method() throws {
    for (method, path, allowed) in [
      ("POST", "/api/v1/pushes", "GET, HEAD, DELETE"), ("GET", "/api/v1/clock", "PUT"),
      ("HEAD", "/api/v1/clock", "PUT"), ("PUT", "/", "GET, HEAD"),
    ] {
      for type in ["application/json", nil] {
        let connection = try inbox.connect()
        connection.send(method, path, ["content-type": type])
        let head = try #require(connection.head())
        #expect(head.status == 405 && head.headers["allow"] == allowed, "\(method) \(path)")
      }
    }
  }

  @Test("with HEAD is answered as with GET, without the body", arguments: ["/", "/api/v1/health"])
  func head(_ path: String) throws {
    let connection = try inbox.connect()
    connection.send("HEAD", path, ["content-type": nil, "content-length": nil])
    let head = try #require(connection.head())
    // On the same connection, so that a body would be taken for the head of the next answer.
    connection.send("GET", path)
    let whole = try #require(connection.reply())
    #expect(whole.status == 200 && !whole.body.isEmpty)
    #expect(head.status == 200 && head.headers.keys == whole.headers.keys)
    #expect(head.headers["content-type"] == whole.headers["content-type"])
  }

  @Test("with HEAD ends at once where GET waits", arguments: ["events", "wait?timeout=10m"])
  func headOfStream(_ path: String) throws {
    let connection = try inbox.connect()
    connection.send("HEAD", "/api/v1/\(path)", ["content-type": nil, "content-length": nil])
    #expect(connection.head()?.status == 200)
    connection.send("GET", "/api/v1/health")
    #expect(connection.reply()?.status == 200)
  }

  static let tricks = [
    "/../etc/passwd", "/%2e%2e/etc/passwd", "//", "/index.html/..", "/page.js/", "/page.js%00",
    "/api/v1/../../etc/passwd", "/api/v1/pushes%00", "/api/v1/pushes/", "/api/v1/pushes//1",
    "/api/v1//pushes", "/api/v1/%70ushes", "/API/v1/pushes", "/api/v1/", "/api/v1",
    "/api/v1/pushes/x", "/api/v1/pushes/+1", "/api/v1/pushes/01", "/api/v1/pushes/%31",
    "/api/v1/pushes/-1", "/api/v1/pushes/1e0", "/api/v1/pushes/99999999999999999999",
    "/\\..\\..", "/api/v1/pushes;a=b",
  ]

  @Test("to a path that only looks like one finds nothing", arguments: tricks)
  func path(_ path: String) throws {
    inbox.receive()
    let status = try status([:], path)
    #expect(status == 404 || status == 400)
    #expect(try self.status([:]) == 200)
  }

  @Test("gets what keeps a browser from more than showing the page")
  func guards() throws {
    for path in ["/", "/api/v1/health", "/nothing"] {
      let headers = try inbox.ask("GET", path).headers
      #expect(headers["content-security-policy"]?.hasPrefix("default-src 'self';") ?? false)
      #expect(headers["x-content-type-options"] == "nosniff")
      #expect(headers["cache-control"] == "no-store")
      #expect(headers["access-control-allow-origin"] == nil)
    }
  }
}

@Suite("An inbox that listens on an address")
struct BoundInboxTests {
  @Test("is reached by addresses and by the names it was given, and by no other")
  func hosts() throws {
    let inbox = try TestInbox {
      $0.address = "0.0.0.0"
      $0.names = ["mail.test"]
    }
    #expect(inbox.inbox.url.hasPrefix("http://127.0.0.1:\(inbox.inbox.port)/#key="))
    for host in ["10.1.2.3:80", "localhost:8025", "[fe80::1]:80", "mail.test:9", "MAIL.test"] {
      #expect(try inbox.ask("GET", "/api/v1/health", ["host": host]).status == 200, "\(host)")
    }
    for host in [
      "evil.example:\(inbox.inbox.port)", "10.1.2.3.evil.example", "1.2.3.4.5", "",
      "[::1]evil.example", "[::1]:80evil.example", "[::1", "[mail.test]", "127.0.0.1:evil.example",
      "127.0.0.1:80:80", "mail.test:evil.example",
    ] {
      #expect(try inbox.ask("GET", "/api/v1/health", ["host": host]).status == 421, "\(host)")
    }
  }

  @Test("has to be a numeric one that this machine has, with a port that is free")
  func failures() throws {
    #expect(throws: Inbox.Failure.badAddress("localhost")) {
      try TestInbox { $0.address = "localhost" }
    }
    #expect(throws: Inbox.Failure.self) { try TestInbox { $0.address = "192.0.2.1" } }
    let first = try TestInbox()
    #expect(throws: Inbox.Failure.self) { try TestInbox { $0.port = first.inbox.port } }
  }

  static let keys: [(text: String, isGood: Bool)] = [
    ("0123456789abcdef", true), ("0123456789abcde", false), ("A-z_0123456789abc", true),
    ("short", false),
    ("0123456789abcde ", false), ("0123456789abcdeé", false), ("", false),
    (String(repeating: "a", count: 256), true), (String(repeating: "a", count: 257), false),
  ]

  @Test("takes keys that a URL can hold", arguments: keys)
  func key(_ row: (text: String, isGood: Bool)) {
    #expect((AccessKey(row.text) != nil) == row.isGood)
    #expect(AccessKey() != AccessKey() && AccessKey().text.utf8.count == 32)
  }
}
