package import JSONText

/// An HTTP/1.1 request, as far as it is read.
package struct HTTPRequest: Sendable {
  /// The method as sent, such as `GET`, except that HEAD becomes GET; the server omits the body.
  package var method: String
  /// The path as sent, without the query and still escaped.
  package var path: String
  /// The query's names and values in order; nil if an escape in it is malformed.
  package var query: [QueryItem]? = []
  /// The headers that are read, by lowercase name.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []
  /// The reason HTTP itself forbids it; nil if it may be answered.
  package var fault: HTTPRefusal?

  /// The headers that are read, each of which may occur once; others are ignored.
  package static let headerNames = [
    "authorization", "content-length", "content-type", "host", "last-event-id", "origin",
    "transfer-encoding",
  ]

  /// The length of its body according to its head; 0 if it has none or does not say.
  package var contentLength: Int { headers["content-length"].map { Int($0) ?? .max } ?? 0 }

  /// A body follows the head.
  package var hasBody: Bool { contentLength > 0 || headers["transfer-encoding"] != nil }
}

/// A name and value in a query.
package struct QueryItem: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Unescapes both (RFC 3986 section 2.1, and + for a blank); nil if an escape is malformed or the
  /// text is not UTF-8.
  package init?(escaped name: Substring, _ value: Substring) {
    guard let name = name.unescaped(plus: 0x20), let value = value.unescaped(plus: 0x20) else {
      return nil
    }
    self.init(name, value)
  }
}

extension Substring {
  /// The text without escapes (RFC 3986 section 2.1); nil if one is malformed or the text is not
  /// UTF-8.
  ///
  /// - Parameter plus: the meaning of a plus sign.
  package func unescaped(plus: UInt8 = UInt8(ascii: "+")) -> String? {
    var (bytes, rest) = ([UInt8](), utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? plus : byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let value = UInt8(String(Substring(digits)), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// A response.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Generated piece by piece, at the client's pace.
    case stream(any BodyStream)
  }

  package var status = 200
  package var contentType = "application/json"
  /// The headers besides the content type and those that every response has.
  package var headers: [(name: String, value: String)] = []
  package var body: Body

  package init(status: Int = 200, contentType: String = "application/json", _ body: Body) {
    (self.status, self.contentType, self.body) = (status, contentType, body)
  }
}

/// A body that is generated while it is sent. It keeps a position, never the data that a slow
/// client has yet to read. Only one thread at a time uses it.
package protocol BodyStream: AnyObject, Sendable {
  /// The next piece.
  ///
  /// - Parameter now: the time in milliseconds, from any starting point.
  func next(now: Int64) -> BodyPiece
}

/// The next piece of a stream.
package enum BodyPiece: Sendable, Equatable {
  case bytes([UInt8])
  /// No data before this time, unless something changes.
  case nothing(until: Int64)
  case end
}

/// The handler of requests. It is called on the server's thread, but for long answers, and must
/// not block.
protocol HTTPService: Sendable {
  /// The longest body accepted, in bytes.
  var bodyLimit: Int { get }

  /// Returns true if the client is one that must not be kept out by strangers.
  func isKnown(_ head: HTTPRequest) -> Bool

  /// Returns true if the answer may take long. It is made on another thread.
  func isLong(_ request: HTTPRequest) -> Bool

  /// The response if a request is refused before its body is read; nil if it is not refused.
  func refusal(of head: HTTPRequest) -> HTTPResponse?

  /// Answers a complete request. It may have become too long since it was not refused.
  func answer(_ request: HTTPRequest) -> HTTPResponse

  /// Makes a call once, when streams have something new to look at.
  func callOnChange(_ call: @escaping @Sendable () -> Void)
}

/// The reason a request is refused: a status, the problem and the fix.
package struct HTTPRefusal: Error, Sendable, Equatable {
  package var status: Int
  package var message: String
  package var fix: String
  /// The allowed methods, for the `allow` header.
  package var allowed: String?
  /// The details: a JSON array of objects.
  package var problems: JSON?

  package init(_ status: Int, _ message: String, fix: String) {
    (self.status, self.message, self.fix) = (status, message, fix)
  }

  package static let badRequest = 400
  package static let unauthorized = 401
  package static let forbidden = 403
  package static let notFound = 404
  package static let methodNotAllowed = 405
  package static let tooLarge = 413
  package static let targetTooLong = 414
  package static let unsupportedMediaType = 415
  package static let misdirected = 421
  package static let headTooLong = 431
  package static let notImplemented = 501
  package static let unavailable = 503

  /// The refusal of a body that exceeds the limit.
  package static func tooLong(_ limit: Int) -> HTTPRefusal {
    HTTPRefusal(tooLarge, "The body is longer than \(limit) bytes.", fix: "Send less.")
  }

  /// The response that reports the refusal.
  package var response: HTTPResponse {
    var response = HTTPResponse(status: status, .json(json))
    if let allowed { response.headers.append(("allow", allowed)) }
    if status == Self.unauthorized { response.headers.append(("www-authenticate", "Bearer")) }
    return response
  }

  private var json: JSON {
    let members = [("message", JSON(.string(message))), ("fix", JSON(.string(fix)))]
    let more = problems.map { [("problems", $0)] } ?? []
    return .object(members + more)
  }
}

extension HTTPResponse.Body {
  /// A JSON value on one line.
  package static func json(_ json: JSON) -> Self { .bytes(json.encoded(.wire) + [0x0A]) }
}

extension JSON {
  /// An integer.
  package static func number(_ number: Int) -> JSON { JSON(.number(JSONNumber(number))) }

  /// An object with these members, in this order.
  package static func object(_ members: [(String, JSON)]) -> JSON {
    members.map { JSONMember(key: $0.0, value: $0.1) }.object
  }
}
