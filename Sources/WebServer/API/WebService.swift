/// Routes requests to the API or to the page's files.
struct WebService<API: WebAPI>: HTTPService {
  let access: WebAccess
  let api: API
  let files: [PageFile]

  var bodyLimit: Int { API.bodyLimit }

  func isKnown(_ head: HTTPRequest) -> Bool { access.hasKey(head) }

  /// A body is long from this size on, in bytes.
  private static var longBody: Int { 64 << 10 }

  func isLong(_ request: HTTPRequest) -> Bool {
    request.body.count >= Self.longBody || api.isLong(request)
  }

  func refusal(of head: HTTPRequest) -> HTTPResponse? {
    do throws(HTTPRefusal) {
      if let fault = head.fault { throw fault }
      try access.check(head)
      try checkBody(of: head)
      return nil
    } catch {
      return error.response.guarded
    }
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    do throws(HTTPRefusal) {
      if let fault = request.fault { throw fault }
      return try response(to: request).guarded
    } catch {
      return error.response.guarded
    }
  }

  func callOnChange(_ call: @escaping @Sendable () -> Void) { api.callOnChange(call) }

  private func response(to request: HTTPRequest) throws(HTTPRefusal) -> HTTPResponse {
    if request.isCall {
      let (route, call) = try API.find(request)
      return try route.action(api, call)
    }
    let file = try pageFile(request)
    return HTTPResponse(contentType: file.contentType, .bytes(Array(file.text.utf8)))
  }

  private func pageFile(_ request: HTTPRequest) throws(HTTPRefusal) -> PageFile {
    guard let file = files.first(where: { $0.path == request.path }) else {
      throw HTTPRefusal(
        HTTPRefusal.notFound, "There is nothing here.", fix: "The page is /, the API /api/v1/.")
    }
    if request.method != "GET" { throw .method(allowed: ["GET"]) }
    return file
  }

  /// Checks the body's size, and its type, which must be one that pages of other sites cannot send.
  private func checkBody(of head: HTTPRequest) throws(HTTPRefusal) {
    if head.method == "GET", !head.hasBody { return }
    // Path and method come first: if they are wrong, no body can help.
    if head.isCall {
      _ = try API.find(head)
    } else {
      _ = try pageFile(head)
    }
    if head.method == "GET" {
      throw HTTPRefusal(HTTPRefusal.badRequest, "GET takes no body.", fix: "Leave it out.")
    }
    let type = (head.headers["content-type"] ?? "").prefix { $0 != ";" }
    guard type.lowercased().trimmed == "application/json" else {
      throw HTTPRefusal(
        HTTPRefusal.unsupportedMediaType, "Changes need the content type application/json.",
        fix: "Send the header 'content-type: application/json'.")
    }
    if head.contentLength > bodyLimit { throw .tooLong(bodyLimit) }
  }
}

extension String {
  /// The text without surrounding blanks.
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " }
    return start.prefix { $0 != " " }
  }
}

extension HTTPResponse {
  /// The response with headers that restrict the browser to displaying the page.
  fileprivate var guarded: HTTPResponse {
    var response = self
    response.headers += [
      ("cache-control", "no-store"),
      (
        "content-security-policy",
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ),
      ("cross-origin-resource-policy", "same-origin"),
      ("referrer-policy", "no-referrer"),
      ("x-content-type-options", "nosniff"),
    ]
    return response
  }
}

/// A file of the page.
package struct PageFile: Sendable {
  /// The path in its URL; `/` for the page itself.
  let path: String
  let contentType: String
  let text: String

  /// The files of a page: those of its own, and those that all pages share.
  package static func all(_ own: [(name: String, summary: String, text: String)]) -> [PageFile] {
    (own + Embedded.shared).map { file in
      let ending = file.name.split(separator: ".").last.map(String.init) ?? ""
      return PageFile(
        path: file.name == "index.html" ? "/" : "/\(file.name)",
        contentType: contentTypes[ending] ?? "application/octet-stream", text: file.text)
    }
  }

  private static let contentTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]
}
