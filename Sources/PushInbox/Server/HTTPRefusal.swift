internal import JSONText

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
  static let unsupportedMediaType = 415
  static let misdirected = 421

  /// The response that reports the refusal.
  var response: HTTPResponse {
    var response = HTTPResponse(status: status, .json(json))
    if let allowed { response.headers.append(("allow", allowed)) }
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
