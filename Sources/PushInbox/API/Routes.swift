/// One route of the API.
struct Route: Sendable {
  /// The handler of a route.
  typealias Action = @Sendable (InboxAPI, Call) throws(HTTPRefusal) -> HTTPResponse

  /// A call as its action receives it.
  struct Call {
    var request: HTTPRequest
    /// The value of `{id}` in the path.
    var id: String?
  }

  let method: String
  /// The path below `/api/v1/`, such as `pushes/{id}`.
  let path: String
  let action: Action

  init(_ method: String, _ path: String, _ action: @escaping Action) {
    (self.method, self.path, self.action) = (method, path, action)
  }

  /// Matches a path and returns its `{id}`, empty if the route has none; nil for another path.
  func fits(_ parts: [Substring]) -> Substring? {
    let own = path.split(separator: "/")
    guard own.count == parts.count else { return nil }
    var id: Substring = ""
    for (pattern, part) in zip(own, parts) {
      if pattern == "{id}" { id = part } else if pattern != part { return nil }
    }
    return id
  }
}

extension HTTPRequest {
  /// A call of the API; anything else is for the page.
  var isCall: Bool { path.hasPrefix(InboxAPI.prefix) }
}

extension InboxAPI {
  /// The prefix of every path in the API.
  static let prefix = "/api/v1/"

  /// All routes; docs/inbox-api.json describes the same ones.
  static let routes: [Route] = [
    Route("GET", "pushes") { api, call throws(HTTPRefusal) in try api.pushes(call) },
    Route("DELETE", "pushes") { api, call throws(HTTPRefusal) in try api.clear(call) },
    Route("GET", "pushes/{id}") { api, call throws(HTTPRefusal) in try api.push(call) },
    Route("GET", "wait") { api, call throws(HTTPRefusal) in try api.wait(call) },
    Route("GET", "events") { api, call throws(HTTPRefusal) in try api.events(call) },
    Route("GET", "script") { api, call throws(HTTPRefusal) in try api.script(call) },
    Route("PUT", "script") { api, call throws(HTTPRefusal) in try api.setScript(call) },
    Route("PUT", "clock") { api, call throws(HTTPRefusal) in try api.setClock(call) },
    Route("GET", "devices") { api, call throws(HTTPRefusal) in try api.devices(call) },
    Route("PUT", "devices") { api, call throws(HTTPRefusal) in try api.setDevices(call) },
    Route("DELETE", "devices") { api, call throws(HTTPRefusal) in try api.forgetDevices(call) },
    Route("GET", "channels") { api, call throws(HTTPRefusal) in try api.channels(call) },
    Route("PUT", "channels") { api, call throws(HTTPRefusal) in try api.setChannels(call) },
    Route("POST", "connections/goaway") { api, call throws(HTTPRefusal) in try api.goAway(call) },
    Route("POST", "connections/close") { api, call throws(HTTPRefusal) in try api.close(call) },
    Route("GET", "health") { api, call throws(HTTPRefusal) in try api.health(call) },
  ]

  /// Finds the route for a request.
  ///
  /// - Throws: `HTTPRefusal` for an unknown path or method.
  static func find(_ request: HTTPRequest) throws(HTTPRefusal) -> (Route, Route.Call) {
    let parts = request.path.dropFirst(prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    let fitting = routes.compactMap { route in route.fits(parts).map { (route, String($0)) } }
    if let (route, id) = fitting.first(where: { $0.0.method == request.method }) {
      return (route, Route.Call(request: request, id: id))
    }
    guard fitting.isEmpty else { throw .method(allowed: fitting.map(\.0.method)) }
    throw HTTPRefusal(
      HTTPRefusal.notFound, "The API has no such path.", fix: "docs/inbox-api.json lists the calls."
    )
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
