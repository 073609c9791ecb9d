internal import Foundation

// The HTTP proxy.
extension ProxyConnection {
  private static let headLimit = 16_384

  func serveHTTP() {
    while let request = httpRequest() {
      context.record(request)
      if let wanted = context.credentials, request.credentials != wanted {
        // The client may try again on this connection, now with credentials.
        say("407 Proxy Authentication Required", "Proxy-Authenticate: Basic realm=\"test\"")
        continue
      }
      return answer(request)
    }
  }

  private func answer(_ request: TestProxy.Request) {
    switch context.behaviour {
    case .carries: openTunnel(request)
    case .drops(let count): openTunnel(request, limit: count)
    case .refuses(let status): say("\(status) Refused")
    case .saysGarbage: say(Array("SSH-2.0-garbage\r\n\r\n".utf8))
    case .keepsSilent: waitForEnd()
    case .hangsUp: break
    }
  }

  private func openTunnel(_ request: TestProxy.Request, limit: Int = .max) {
    guard request.line.hasPrefix("CONNECT "), let server = server(request.destination) else {
      return say("502 Bad Gateway")
    }
    say(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
    carry(to: server, limit: limit)
  }

  private func say(_ status: String, _ fields: String...) {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: 0"] + fields
    say(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }

  private func httpRequest() -> TestProxy.Request? {
    var head: [UInt8] = []
    while !head.ends(with: "\r\n\r\n".utf8) {
      guard head.count < Self.headLimit, let byte = take(1) else { return nil }
      head += byte
    }
    // Swift takes CR LF for one character.
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    var request = TestProxy.Request(line: lines.first ?? "")
    request.fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts.dropFirst().first?.drop { $0 == " " } ?? ""
      return (parts.first?.lowercased() ?? "", String(value))
    }
    request.credentials = request.fields.first { $0.name == "proxy-authorization" }
      .flatMap { basicCredentials($0.value) }
    return request
  }
}

extension [UInt8] {
  fileprivate func ends(with bytes: some BidirectionalCollection<UInt8>) -> Bool {
    suffix(bytes.count).elementsEqual(bytes)
  }
}

/// What stands in a `Basic` header (RFC 7617); nil when it is none.
private func basicCredentials(_ value: String) -> TestProxy.Credentials? {
  let words = value.split(separator: " ")
  guard words.count == 2, words[0].lowercased() == "basic",
    let data = Data(base64Encoded: String(words[1]))
  else { return nil }
  let parts = String(decoding: data, as: UTF8.self).split(
    separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2 else { return nil }
  return TestProxy.Credentials(user: String(parts[0]), password: String(parts[1]))
}
