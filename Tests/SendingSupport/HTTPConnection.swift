package import JSONText
import TestSupport
import Testing

/// An answer, as it came.
package struct HTTPReply {
  package var status: Int
  package var headers: [String: String]
  package var body: [UInt8] = []

  package var text: String { String(decoding: body, as: UTF8.self) }
  package var json: JSON { get throws { try JSONReader().read(body) } }
}

/// A client of HTTP/1.1 that sends what it is told to, right or wrong.
package final class HTTPConnection {
  private let port: UInt16
  private let key: String
  private let line: LineClient

  package init(port: UInt16, key: String) throws {
    (self.port, self.key) = (port, key)
    line = try LineClient(port: port)
  }

  /// Sends a request with what a good one has, but for the headers that are given: nil leaves one out.
  package func send(
    _ method: String, _ path: String, _ headers: [String: String?] = [:], _ body: String = ""
  ) {
    var all: [String: String?] = [
      "host": "127.0.0.1:\(port)", "authorization": "Bearer \(key)",
    ]
    if method != "GET" {
      all["content-type"] = "application/json"
      all["content-length"] = "\(body.utf8.count)"
    }
    all.merge(headers) { $1 }
    let lines = all.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
    line.send("\(method) \(path) HTTP/1.1\r\n\(lines.joined())\r\n\(body)")
  }

  /// Sends a text as it is, such as half a head.
  package func send(raw text: String) { line.send(text) }

  /// Whether an answer has come, or the server has closed.
  package var isAnswered: Bool { line.hasUnread }

  /// The next answer; nil when the server has closed.
  package func reply() -> HTTPReply? {
    guard var reply = head() else { return nil }
    if reply.headers["transfer-encoding"] == "chunked" {
      while let chunk = chunk(), !chunk.isEmpty { reply.body += chunk }
    } else {
      reply.body = line.read(reply.headers["content-length"].flatMap { Int($0) } ?? 0)
    }
    return reply
  }

  /// The head of an answer whose body is a stream.
  package func head() -> HTTPReply? {
    guard let first = next(), let status = first.split(separator: " ").dropFirst().first else {
      return nil
    }
    var reply = HTTPReply(status: Int(status) ?? 0, headers: [:])
    while let header = next(), !header.isEmpty {
      let parts = header.split(separator: ":", maxSplits: 1)
      let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
      reply.headers[parts[0].lowercased()] = String(value)
    }
    return reply
  }

  /// The next piece of a stream; empty at its end, nil when the server has closed.
  package func chunk() -> [UInt8]? {
    guard let size = next().flatMap({ Int($0, radix: 16) }) else { return nil }
    defer { _ = next() }
    return line.read(size)
  }

  private func next() -> String? {
    line.readLine().map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 }
  }
}

/// Server-sent events, read one by one.
package final class EventReader {
  package struct Event: Equatable {
    package var name = ""
    package var id: Int?
    package var data = ""

    package init(name: String = "", id: Int? = nil, data: String = "") {
      (self.name, self.id, self.data) = (name, id, data)
    }
  }

  private let connection: HTTPConnection
  private var unread = ""

  /// Reads the head of the answer first.
  package init(_ connection: HTTPConnection) throws {
    self.connection = connection
    let head = try #require(connection.head())
    try #require(head.status == 200 && head.headers["content-type"] == "text/event-stream")
  }

  /// The next event; nil at the end. Comments are passed over.
  package func next() -> Event? {
    while true {
      if let end = unread.firstRange(of: "\n\n") {
        let block = unread[..<end.lowerBound]
        unread = String(unread[end.upperBound...])
        if let event = Self.event(block) { return event }
      } else {
        guard let chunk = connection.chunk(), !chunk.isEmpty else { return nil }
        unread += String(decoding: chunk, as: UTF8.self)
      }
    }
  }

  private static func event(_ block: Substring) -> Event? {
    var event = Event()
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
      switch parts[0] {
      case "event": event.name = value
      case "id": event.id = Int(value)
      case "data": event.data = value
      default: break
      }
    }
    return event.name.isEmpty && event.data.isEmpty ? nil : event
  }
}
