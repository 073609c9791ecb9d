/// The head of a request, as it was sent, and what HTTP itself forbids in it.
struct HTTPHead {
  /// The longest head, in bytes. A connection's memory holds twice as much.
  static let sizeLimit = 16 * 1024
  /// The longest target, in bytes.
  static let targetLimit = 8 * 1024
  /// The most parameters in a query.
  static let parameterLimit = 100

  /// The path and the query.
  let target: String
  /// The bytes of the head.
  let size: Int
  /// A zero byte occurs in the target, which ends before it.
  var hasZero = false
  /// The values of the headers that are read, by lowercase name.
  private var values: [String: [String]] = [:]

  /// Creates a head without headers.
  init(target: String, size: Int) { (self.target, self.size) = (target, size) }

  /// Adds a header, without the blanks after its value.
  mutating func add(_ name: String, _ value: String) {
    let name = name.lowercased()
    guard HTTPRequest.headerNames.contains(name) else { return }
    let end = value.utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }
    let text = end.map { String(value[...$0]) } ?? ""
    // libmicrohttpd compares codings with their blanks.
    values[name, default: []].append(name == Self.coding ? value : text)
  }

  /// The request with this head.
  func request(_ method: String) -> HTTPRequest {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var request = HTTPRequest(method: method, path: String(parts.first ?? ""))
    request.headers = values.compactMapValues(\.first)
    request.fault = fault
    if request.fault == nil, parts.count == 2 { request.query = QueryItem.all(in: parts[1]) }
    return request
  }

  private static let coding = "transfer-encoding"
  private static let length = "content-length"

  private var fault: HTTPRefusal? { targetFault ?? repetition ?? bodyFault }

  private var targetFault: HTTPRefusal? {
    if hasZero || target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      return HTTPRefusal(
        HTTPRefusal.badRequest, "The target of the request has a blank or a control character.",
        fix: "Escape it as %XX.")
    }
    if target.utf8.count > Self.targetLimit
      || target.utf8.count(where: { $0 == UInt8(ascii: "&") }) >= Self.parameterLimit
    {
      return HTTPRefusal(
        HTTPRefusal.targetTooLong,
        "The target is longer than \(Self.targetLimit) bytes, or has more than "
          + "\(Self.parameterLimit) parameters.",
        fix: "Send less.")
    }
    if size > Self.sizeLimit {
      return HTTPRefusal(
        HTTPRefusal.headTooLong, "The headers are longer than \(Self.sizeLimit) bytes.",
        fix: "Send less.")
    }
    return nil
  }

  /// The fault of a header that is given twice, or of a request without a host.
  private var repetition: HTTPRefusal? {
    if let twice = HTTPRequest.headerNames.first(where: { values[$0]?.count ?? 0 > 1 }) {
      return HTTPRefusal(
        HTTPRefusal.badRequest, "The header '\(twice)' is given twice.", fix: "Send it once.")
    }
    if values["host"] != nil { return nil }
    return HTTPRefusal(
      HTTPRefusal.badRequest, "The header 'host' is missing.",
      fix: "Send it, with the server's address and port.")
  }

  private var bodyFault: HTTPRefusal? {
    guard let coding = values[Self.coding]?.first else { return nil }
    if coding.lowercased() != "chunked" {
      return HTTPRefusal(
        HTTPRefusal.notImplemented, "The transfer coding is not known.",
        fix: "Send the body in chunks, or with its length.")
    }
    if values[Self.length] == nil { return nil }
    return HTTPRefusal(
      HTTPRefusal.badRequest, "The body has a length and comes in chunks.",
      fix: "Send one of 'content-length' and 'transfer-encoding'.")
  }
}

extension QueryItem {
  /// Reads a query; nil if it is malformed.
  static func all(in query: Substring) -> [QueryItem]? {
    var items: [QueryItem] = []
    for part in query.split(separator: "&") {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = words.count == 2 ? words[1] : ""
      guard let item = QueryItem(escaped: words[0], value) else { return nil }
      items.append(item)
    }
    return items
  }
}
