internal import HTTP2

/// The place where a page and its API are served.
package struct WebAddress: Sendable {
  /// The port; 0 lets the system choose.
  package var port: UInt16
  /// The address to listen on; nil means 127.0.0.1.
  package var address: String?
  /// The host names accepted in URLs besides `localhost`, if it listens on an address.
  package var names: [String]

  package init(port: UInt16, address: String? = nil, names: [String] = []) {
    (self.port, self.address, self.names) = (port, address, names)
  }
}

/// The reason a page is not served.
public enum WebFailure: Error, Sendable, Hashable {
  /// The address is not numeric.
  case badAddress(String)
  /// The port is not available: the system call that failed, and its `errno`.
  case port(UInt16, call: String, code: Int32)
  /// The process has no file descriptors left.
  case outOfDescriptors
  /// The system cannot create another thread.
  case outOfThreads
}

/// A page and its API over HTTP/1.1. It listens from `init` to `stop()`, on its own threads.
package final class Website: Sendable {
  /// The words for a site in errors, and its rules for keys.
  package struct Name: Sendable {
    let noun: String
    let command: String
    let takesKeyInQuery: Bool

    /// - Parameters:
    ///   - command: the command that prints its URL.
    ///   - takesKeyInQuery: the key may come as the parameter `key`, besides in a header.
    package init(_ noun: String, command: String, takesKeyInQuery: Bool = false) {
      (self.noun, self.command, self.takesKeyInQuery) = (noun, command, takesKeyInQuery)
    }
  }

  /// The port it listens on.
  package let port: UInt16

  private let server: HTTPServer

  /// Starts to serve. It is listening when this returns.
  ///
  /// - Parameter files: the files of the page.
  /// - Throws: `WebFailure`.
  package init<API: WebAPI>(
    _ name: Name, at place: WebAddress, key: AccessKey, _ api: API, _ files: [PageFile]
  ) throws(WebFailure) {
    let listener = try Self.listener(place)
    port = listener.port
    let access = WebAccess(
      site: name, key: key, port: port, isBound: place.address != nil, names: place.names)
    do throws(HTTPServer.Failure) {
      server = try HTTPServer(listener, WebService(access: access, api: api, files: files))
    } catch {
      throw error == .outOfThreads ? .outOfThreads : .outOfDescriptors
    }
  }

  deinit { stop() }

  /// Closes the port and every connection, and returns when its threads have ended. Calling it
  /// again has no effect.
  package func stop() { server.stop() }

  private static func listener(_ place: WebAddress) throws(WebFailure) -> Listener {
    let text = place.address ?? "127.0.0.1"
    guard let address = HostAddress(text) else { throw .badAddress(text) }
    do throws(Listener.Failure) {
      return try Listener(port: place.port, address: address)
    } catch {
      throw .port(place.port, call: error.call, code: error.code)
    }
  }
}
