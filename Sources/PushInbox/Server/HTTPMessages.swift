/// A request of HTTP/1.1, as far as the inbox reads it.
struct HTTPRequest: Sendable {
  /// As it was sent, such as `GET`; but HEAD is GET here, and the server leaves out the body.
  var method: String
  /// As it was sent, without the query: nothing is unescaped.
  var path: String
  /// The query's names and values in order; nil when an escape in it is broken.
  var query: [QueryItem]? = []
  /// The headers that anything here asks for, by their lowercase names.
  var headers: [String: String] = [:]
  var cookies: [String: String] = [:]
  var body: [UInt8] = []

  /// The headers that are read; others are not looked at.
  static let headerNames = [
    "authorization", "content-length", "content-type", "host", "last-event-id", "origin",
  ]
}

/// A name and a value of a query.
struct QueryItem: Sendable, Hashable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Unescapes both (RFC 3986 section 2.1); nil when an escape is broken or the text not UTF-8.
  init?(escaped name: String, _ value: String) {
    guard let name = Self.unescaped(name), let value = Self.unescaped(value) else { return nil }
    self.init(name, value)
  }

  private static func unescaped(_ text: String) -> String? {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
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

/// An answer.
struct HTTPResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Made piece by piece, as the client takes it.
    case stream(any BodyStream)
  }

  var status = 200
  var contentType = "application/json"
  /// Headers besides the content type and those that every answer has.
  var headers: [(name: String, value: String)] = []
  var body: Body

  init(status: Int = 200, contentType: String = "application/json", _ body: Body) {
    (self.status, self.contentType, self.body) = (status, contentType, body)
  }
}

/// A body that is made while it is sent. It holds a position, and never what a slow client has not
/// taken yet. One thread at a time uses it.
protocol BodyStream: AnyObject, Sendable {
  /// What comes next.
  ///
  /// - Parameter now: in milliseconds from any start.
  func next(now: Int64) -> BodyPiece
}

/// What a stream has to say.
enum BodyPiece: Sendable, Equatable {
  case bytes([UInt8])
  /// Nothing before this time, unless something changes.
  case nothing(until: Int64)
  case end
}

/// What answers requests. It is called by the server's thread and must not wait.
protocol HTTPService: Sendable {
  /// The longest body that is read, in bytes.
  var bodyLimit: Int { get }

  /// Why a request is refused before its body is read; nil when it is not.
  func refusal(of head: HTTPRequest) -> HTTPResponse?

  /// The answer to a whole request.
  func answer(_ request: HTTPRequest) -> HTTPResponse

  /// Makes a call once, when there is something new for streams to look at.
  func callOnChange(_ call: @escaping @Sendable () -> Void)
}
