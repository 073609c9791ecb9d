/// An API under `/api/v1/`.
package protocol WebAPI: Sendable {
  /// All routes.
  static var routes: [APIRoute<Self>] { get }
  /// The file of the documentation that describes the routes.
  static var description: String { get }
  /// The longest body accepted, in bytes.
  static var bodyLimit: Int { get }

  /// Returns true if the answer may take long. It is made on another thread.
  func isLong(_ request: HTTPRequest) -> Bool

  /// Makes a call once, on the next change that streams have to look at.
  func callOnChange(_ call: @escaping @Sendable () -> Void)
}

extension WebAPI {
  package typealias Route = APIRoute<Self>
}

/// One route of an API.
package struct APIRoute<API>: Sendable {
  /// The handler of a route.
  package typealias Action = @Sendable (API, Call) throws(HTTPRefusal) -> HTTPResponse

  /// A call as its action receives it.
  package struct Call {
    package var request: HTTPRequest
    /// The segment of the path that the route leaves open, still escaped.
    package var id: String?
  }

  let method: String
  /// The path below `/api/v1/`, such as `pushes/{id}`.
  let path: String
  let action: Action

  package init(_ method: String, _ path: String, _ action: @escaping Action) {
    (self.method, self.path, self.action) = (method, path, action)
  }

  /// Matches a path and returns its open segment, empty if the route has none; nil for another path.
  func fits(_ parts: [Substring]) -> Substring? {
    let own = path.split(separator: "/")
    guard own.count == parts.count else { return nil }
    var id: Substring = ""
    for (pattern, part) in zip(own, parts) {
      if pattern.hasPrefix("{") { id = part } else if pattern != part { return nil }
    }
    return id
  }
}

/// The prefix of every path in an API.
private let apiPrefix = "/api/v1/"

extension HTTPRequest {
  /// A call of the API; anything else is for the page.
  var isCall: Bool { path.hasPrefix(apiPrefix) }
}

extension WebAPI {
  /// The prefix of every path.
  static var prefix: String { apiPrefix }

  /// Finds the route for a request.
  ///
  /// - Throws: `HTTPRefusal` for an unknown path or method.
  static func find(_ request: HTTPRequest) throws(HTTPRefusal) -> (
    APIRoute<Self>, APIRoute<Self>.Call
  ) {
    let parts = request.path.dropFirst(prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    let fitting = routes.compactMap { route in route.fits(parts).map { (route, String($0)) } }
    if let (route, id) = fitting.first(where: { $0.0.method == request.method }) {
      return (route, APIRoute.Call(request: request, id: id))
    }
    guard fitting.isEmpty else { throw .method(allowed: fitting.map(\.0.method)) }
    throw HTTPRefusal(
      HTTPRefusal.notFound, "The API has no such path.", fix: "\(description) lists the calls.")
  }
}

extension HTTPRefusal {
  /// A refusal of a method. Where GET is allowed, so is HEAD.
  static func method(allowed: [String]) -> HTTPRefusal {
    let list = allowed.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ")
    var refusal = HTTPRefusal(
      methodNotAllowed, "This path does not have the method.", fix: "Use \(list).")
    refusal.allowed = list
    return refusal
  }
}
