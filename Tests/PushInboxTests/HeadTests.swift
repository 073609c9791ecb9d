import JSONText
import SendingSupport
import Testing

@testable import PushInbox
@testable import WebServer

@Suite("The head of a request")
struct HeadTests {
  private let inbox: TestInbox

  init() throws { inbox = try TestInbox() }

  /// A head with what a good one has, and the answer to it; nil if there is none.
  private func reply(_ line: String, _ others: String, body: String = "") throws -> HTTPReply? {
    let connection = try inbox.connect()
    let good = "host: 127.0.0.1:\(inbox.inbox.port)\r\nauthorization: Bearer \(inbox.key.text)\r\n"
    connection.send(raw: "\(line) HTTP/1.1\r\n\(good)\(others)\r\n\(body)")
    return connection.reply()
  }

  private static let get = "GET /api/v1/health"
  private static let put = "PUT /api/v1/script"
  private static let json = "content-type: application/json\r\n"
  private static let parameters = (1...1000).map { "a\($0)=b" }.joined(separator: "&")
  private static let cookies = (1...2000).map { "a\($0)=b" }.joined(separator: "; ")

  static let faults: [(status: Int, line: String, headers: String, says: String)] = [
    (414, "GET /api/v1/pushes?\(parameters)", "", "100 parameters"),
    (414, "GET /\(String(repeating: "a", count: 9000))", "", "8192 bytes"),
    (431, get, "cookie: \(cookies)\r\n", "16384 bytes"),
    (400, "GET /api/v1/pushes?text=a b", "", "blank"), (400, "GET /api/v1/pu shes", "", "blank"),
    (400, "GET /api/v1/health\0x", "", "control"), (400, "GET /api/v1/health?a=\0", "", "control"),
    (400, "GET /api/v1/health?a=\u{7F}", "", "control"),
    (400, get, "host: evil.example\r\n", "'host'"),
    (400, get, "origin: http://a.example\r\nOrigin: null\r\n", "'origin'"),
    (400, get, "authorization: Bearer x\r\n", "'authorization'"),
    (400, put, "\(json)content-type: text/plain\r\ncontent-length: 2\r\n", "'content-type'"),
    (400, put, "\(json)content-length: 2\r\ncontent-length: 3\r\n", "'content-length'"),
    (400, put, "\(json)content-length: 2\r\ntransfer-encoding: chunked\r\n", "chunks"),
    (501, put, "\(json)transfer-encoding: gzip\r\n", "coding"),
    (501, put, "\(json)transfer-encoding: gzip, chunked\r\n", "coding"),
    (413, put, "\(json)content-length: 9223372036854775808\r\n", "longer"),
    (400, get, "content-length: 9223372036854775808\r\n", "no body"),
  ]

  // libmicrohttpd refuses some of them by itself since version 1.0, in HTML and mostly with 400, and
  // closes the connection at a zero byte. Newer ones need some 70 bytes of memory for each cookie.
  @Test("that HTTP forbids is refused with a sentence", arguments: faults)
  func fault(_ row: (status: Int, line: String, headers: String, says: String)) throws {
    guard let reply = try reply(row.line, row.headers) else {
      #expect(row.line.contains("\0"))
      return #expect(try inbox.call("health").status == 200)
    }
    if reply.headers["content-type"] == "application/json" {
      #expect(reply.status == row.status)
      #expect(try #require(reply.json["message"]?.string).contains(row.says), "\(reply.text)")
    } else {
      #expect(400..<500 ~= reply.status || reply.status == row.status, "\(reply.text)")
    }
    #expect(try inbox.call("health").status == 200)
  }

  static let sizes: [(target: Int, parameters: Int, size: Int, status: Int?)] = [
    (8192, 1, 16_384, nil), (8193, 1, 16_384, 414), (8192, 1, 16_385, 431),
    (8192, 100, 16_384, nil), (8192, 101, 16_384, 414),
  ]

  @Test("has a target, parameters and a size up to their limits", arguments: sizes)
  func size(_ row: (target: Int, parameters: Int, size: Int, status: Int?)) {
    let query = "/?" + Array(repeating: "a=b", count: row.parameters).joined(separator: "&")
    let target = query + String(repeating: "b", count: row.target - query.utf8.count)
    var head = HTTPHead(target: target, size: row.size)
    head.add("Host", "127.0.0.1")
    let request = head.request("GET")
    #expect(request.fault?.status == row.status)
    if row.status == nil { #expect(request.query?.count == row.parameters) }
  }

  @Test("has a query in which a plus sign is a blank, and a path in which it is none")
  func plus() {
    #expect(QueryItem(escaped: "a+b", "c%2Bd+e%20f") == QueryItem("a b", "c+d e f"))
    #expect(Substring("a+b%2B%20").unescaped() == "a+b+ ")
  }

  @Test("without a host is refused once")
  func noHost() throws {
    let connection = try inbox.connect()
    connection.send("GET", "/api/v1/health", ["host": nil])
    let reply = try #require(connection.reply())
    #expect(reply.status == 400 && !reply.text.contains("HTTP/1.1 400"))
    #expect(connection.reply() == nil)
  }

  @Test("may have blanks after a value")
  func blanks() throws {
    let type = "content-type: application/json \t\r\ncontent-length: 2\r\n"
    #expect(try reply(Self.put, type, body: "{}")?.status == 200)
    let connection = try inbox.connect()
    let port = inbox.inbox.port
    connection.send(
      "GET", "/api/v1/health",
      [
        "host": "127.0.0.1:\(port) ", "origin": "http://127.0.0.1:\(port)\t",
        "authorization": "Bearer \(inbox.key.text) ",
      ])
    #expect(connection.reply()?.status == 200)
  }

  @Test("may have any cookies")
  func cookies() throws {
    let cookies = (1...200).map { "a\($0)=b" }.joined(separator: "; ")
    #expect(try reply(Self.get, "cookie: \(cookies)\r\n")?.status == 200)
  }

  @Test("without the key is told how to give it")
  func unauthorized() throws {
    let reply = try inbox.ask("GET", "/api/v1/health", ["authorization": nil])
    #expect(reply.status == 401 && reply.headers["www-authenticate"] == "Bearer")
  }
}
