internal import APNS
package import History
package import JSONText
package import Reporting

// A channel in the output of commands.
extension ChannelEntry: JSONDescribed {
  package static let fields: [OutputField<Self>] =
    place + [
      .always(
        "storagePolicy", \.policy?.rawValue,
        "What it stores: 0 nothing, 1 the latest push; null if that is not known."),
      .always(
        "createdAt", \.created,
        "When it was created from here, in milliseconds since 1970; null if it was not."),
      .always(
        "requestID", \.requestID?.description, "The apns-request-id of its creation from here."),
    ]

  package static let place: [OutputField<Self>] = [
    .always("channel", \.id.text, "The channel's ID."),
    .always("bundleID", \.app.text, "The app that it belongs to."),
    .always("environment", \.server, "The environment that it exists in, or the server's URL."),
  ]

  /// A row of 'channel list'.
  ///
  /// - Parameter isPlaced: whether there are columns for app and server.
  package func row(isPlaced: Bool) -> [Report.Part] {
    let place: [Report.Part] = [
      .text("bundle ID", StyledText(app.text)), .text("environment", StyledText(server)),
    ]
    return [.text("channel", .verbatim(id.text))] + (isPlaced ? place : []) + [
      .text("stores", StyledText(policy?.words ?? "-")),
      .text("created", created.map(moment) ?? "-"),
    ] + parts
  }

  /// The rows of 'channel show', for people.
  package var facts: [Report.Part] {
    [
      .text("channel", .verbatim(id.text)), .text("bundle ID", StyledText(app.text)),
      .text("environment", StyledText(server)),
      .text("stores", StyledText(policy.map { "\($0.words) (policy \($0.rawValue))" } ?? "-")),
      .text("created", created.map(moment)),
      .text("request ID", requestID.map { .verbatim($0.description) }),
    ]
  }
}

extension StoragePolicy {
  /// The storage policy in a word or two.
  package var words: String {
    switch self {
    case .nothing: "nothing"
    case .latest: "the latest push"
    }
  }
}

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
