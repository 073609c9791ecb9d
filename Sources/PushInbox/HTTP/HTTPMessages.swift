internal import JSONText

/// An HTTP/1.1 request, as far as the inbox reads it.
struct HTTPRequest: Sendable {
  /// The method as sent, such as `GET`, except that HEAD becomes GET; the server omits the body.
  var method: String
  /// The path as sent, without the query and still escaped.
  var path: String
  /// The query's names and values in order; nil if an escape in it is malformed.
  var query: [QueryItem]? = []
  /// The headers the inbox uses, by lowercase name.
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  /// The reason HTTP itself forbids it; nil if it may be answered.
  var fault: HTTPRefusal?

  /// The headers that are read, each of which may occur once; others are ignored.
  static let headerNames = [
    "authorization", "content-length", "content-type", "host", "last-event-id", "origin",
    "transfer-encoding",
  ]

  /// The length of its body according to its head; 0 if it has none or does not say.
  var contentLength: Int { headers["content-length"].map { Int($0) ?? .max } ?? 0 }

  /// A body follows the head.
  var hasBody: Bool { contentLength > 0 || headers["transfer-encoding"] != nil }
}

/// A name and value in a query.
struct QueryItem: Sendable, Hashable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Unescapes both (RFC 3986 section 2.1, and + for a blank); nil if an escape is malformed or the
  /// text is not UTF-8.
  init?(escaped name: Substring, _ value: Substring) {
    guard let name = Self.unescaped(name), let value = Self.unescaped(value) else { return nil }
    self.init(name, value)
  }

  private static func unescaped(_ text: Substring) -> String? {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
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
struct HTTPResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Generated piece by piece, at the client's pace.
    case stream(any BodyStream)
  }

  var status = 200
  var contentType = "application/json"
  /// The headers besides the content type and those that every response has.
  var headers: [(name: String, value: String)] = []
  var body: Body

  init(status: Int = 200, contentType: String = "application/json", _ body: Body) {
    (self.status, self.contentType, self.body) = (status, contentType, body)
  }
}

/// A body that is generated while it is sent. It keeps a position, never the data that a slow
/// client has yet to read. Only one thread at a time uses it.
protocol BodyStream: AnyObject, Sendable {
  /// The next piece.
  ///
  /// - Parameter now: the time in milliseconds, from any starting point.
  func next(now: Int64) -> BodyPiece
}

/// The next piece of a stream.
enum BodyPiece: Sendable, Equatable {
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
struct HTTPRefusal: Error, Sendable, Equatable {
  var status: Int
  var message: String
  var fix: String
  /// The allowed methods, for the `allow` header.
  var allowed: String?
  /// The details: a JSON array of objects.
  var problems: JSON?

  init(_ status: Int, _ message: String, fix: String) {
    (self.status, self.message, self.fix) = (status, message, fix)
  }

  static let badRequest = 400
  static let unauthorized = 401
  static let forbidden = 403
  static let notFound = 404
  static let methodNotAllowed = 405
  static let tooLarge = 413
  static let targetTooLong = 414
  static let unsupportedMediaType = 415
  static let misdirected = 421
  static let headTooLong = 431
  static let notImplemented = 501
  static let unavailable = 503

  /// The refusal of a body that exceeds the limit.
  static func tooLong(_ limit: Int) -> HTTPRefusal {
    HTTPRefusal(tooLarge, "The body is longer than \(limit) bytes.", fix: "Send less.")
  }

  /// The response that reports the refusal.
  var response: HTTPResponse {
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
  static func json(_ json: JSON) -> Self { .bytes(json.encoded(.wire) + [0x0A]) }
}

extension JSON {
  /// An object with these members, in this order.
  static func object(_ members: [(String, JSON)]) -> JSON {
    JSON(.object(JSONObject(members.map { JSONMember(key: $0.0, value: $0.1) })))
  }
}
