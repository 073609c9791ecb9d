internal import APNS
internal import HTTP2
internal import JSONText
internal import PlainText
internal import Reporting

/// A channel request as `--dry-run` prints it: complete except for the provider token.
struct ChannelRequestText {
  let request: ChannelRequest
  let app: BundleID
  /// The host and port.
  let host: String
  /// The common name of the client certificate; nil when a provider token is used.
  let certificate: String?
  let requestID: APNSID

  /// The request in the style of HTTP/1.1 for people, and as an object.
  var report: Report {
    let printed = PrintedRequest(
      method: request.method, url: "https://\(host)\(request.path(of: app))",
      headers: headers.map { ($0.name.text, $0.value) }, certificate: certificate,
      payload: request.body)
    return Report(parts: printed.parts + [.lines(lines)])
  }

  private var headers: [(name: HeaderName, value: String)] {
    let channel = request.channel.map { [(HeaderName.channelID, $0.text)] } ?? []
    return channel + [(.requestID, requestID.description)]
  }

  private var lines: [StyledText] {
    let signer =
      certificate.map { "(client certificate: \($0))" } ?? "authorization: bearer (not shown)"
    let head = ["\(request.method) \(request.path(of: app)) HTTP/2", "host: \(host)", signer]
    let body = request.body.isEmpty ? [] : ["", String(decoding: request.body, as: UTF8.self)]
    let lines = head + headers.map { "\($0.name): \($0.value)" } + body + [""]
    return lines.map { .verbatim($0) }
  }
}
