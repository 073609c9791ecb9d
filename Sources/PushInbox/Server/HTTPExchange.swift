internal import CMicroHTTPD

/// A request being received by libmicrohttpd. Only the server's thread uses it.
final class HTTPExchange {
  private(set) var request: HTTPRequest
  /// The client wants only the head of the response.
  let isHead: Bool
  private let bodyLimit: Int

  /// Reads the head.
  init(_ connection: OpaquePointer, _ method: String, _ path: String, bodyLimit: Int) {
    self.bodyLimit = bodyLimit
    isHead = method == "HEAD"
    request = HTTPRequest(method: isHead ? "GET" : method, path: path)
    for name in HTTPRequest.headerNames {
      request.headers[name] = Self.value(connection, fanfare_http_headers(), name)
    }
    Self.forEach(connection, fanfare_http_cookies()) { request.cookies[$0] = $1 }
    Self.forEach(connection, fanfare_http_query()) { name, value in
      let item = QueryItem(escaped: name, value)
      request.query = item.flatMap { item in request.query.map { $0 + [item] } }
    }
  }

  /// Appends a part of the body; false if the body would exceed the limit.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard request.body.count + bytes.count <= bodyLimit else { return false }
    request.body.append(contentsOf: bytes)
    return true
  }

  private static func value(
    _ connection: OpaquePointer, _ kind: MHD_ValueKind, _ name: String
  ) -> String? {
    MHD_lookup_connection_value(connection, kind, name).map { String(cString: $0) }
  }

  private static func forEach(
    _ connection: OpaquePointer, _ kind: MHD_ValueKind, _ body: (String, String) -> Void
  ) {
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { body in
        let context = UnsafeMutableRawPointer(mutating: body)
        MHD_get_connection_values(
          connection, kind,
          { context, _, name, value in
            guard let context, let name else { return fanfare_http_result(1) }
            context.assumingMemoryBound(to: ((String, String) -> Void).self)
              .pointee(String(cString: name), value.map { String(cString: $0) } ?? "")
            return fanfare_http_result(1)
          }, context)
      }
    }
  }
}
