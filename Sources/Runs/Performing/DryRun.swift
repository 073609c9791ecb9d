internal import APNS
internal import Credentials
internal import HTTP2
package import JSONText
internal import PlainText
internal import PushModel
internal import Recipients
package import Reporting
internal import Settings

// Requests that are printed instead of sent.
extension RunPlan {
  /// Prints the requests for each environment that would be tried; of a run to resume, only the
  /// rest.
  package func dryRun(_ printed: PrintedRequests) throws(Failure) -> Report {
    let (credentials, server) = (destination.credentials, destination.server)
    try announce(server)
    tellBegun()
    if let queue = printed.queue { try tell(queue: queue) }
    context.teller.detail(
      requests(to: server.target()).rows(
        server, signedBy: credentials.rows(now: context.clock.epochSeconds)))
    if printed.areCurl {
      context.teller.data.write(
        CurlCommand.head(
          "for the pushes that would be sent", toEmulator: server.address == nil))
    }
    let certificate = credentials.certificate
    let name = certificate.flatMap { $0.certificate?.facts.commonName ?? $0.name }
    return Report(
      .merged(
        try server.environments.map { (environment) throws(Failure) in
          let isFirst = environment == server.environment
          let text = RequestText(
            address: isFirst ? server.address : environment.address, message: message,
            certificate: name, roots: server.roots, showsTokens: printed.showTokens)
          return try dryRun(printed, text)
        }))
  }

  private func dryRun(
    _ printed: PrintedRequests, _ printer: RequestText
  ) throws(Failure) -> ExitCode {
    let rest = try origin.resuming.map { (ledger) throws(Failure) in
      try OpenPushes(of: ledger, context)
    }
    var recipients = try openRecipients()
    let identity = origin.identity(given: message.apnsID, context.clock)
    let skipped = SkippedLines("skipped rows", context.teller)
    while let chunk = try recipients.nextChunk() {
      for push in chunk.pushes {
        if try rest?.leaves(push) ?? false || skipped.reports(push) { continue }
        let id = identity.apnsID(of: push)
        let text = { printed.areCurl ? printer.curl(push, id) : printer.text(push, apnsID: id) }
        context.teller.data.write(
          printed.fields?.line(printer.json(push, apnsID: id)) ?? Array(text().utf8))
      }
    }
    let counts = recipients.counts
    if counts.lines == 0, !self.recipients.mayBeEmpty { throw .noRecipients }
    return counts.badLines + skipped.count > 0 ? .failure : .success
  }

  /// Explains how the requests would be sent with `--enqueue`.
  private func tell(queue: String) throws(Failure) {
    guard context.teller.level != .quiet else { return }
    let credentials = try destination.credentialsForQueue(context)
    context.teller.warn(
      "Without --dry-run they would be enqueued at \(queue.printable), for workers with "
        + "\(credentials.words).")
  }
}

/// A request as `--dry-run` prints it: complete except for the provider token.
private struct RequestText {
  /// The server; nil for an emulator in this process.
  let address: ServerAddress?
  let message: Message
  /// The common name of the client certificate; nil when a provider token is used.
  let certificate: String?
  /// The CA file; nil for none.
  let roots: String?
  let showsTokens: Bool

  /// The request in the style of HTTP/1.1, which is easier to read.
  func text(_ push: Push, apnsID: APNSID) -> String {
    let signer =
      certificate.map { "(client certificate: \($0.printable))" }
      ?? "authorization: bearer (not shown)"
    let head = ["POST \(path(push)) HTTP/2", "host: \(host)", signer]
    let headers =
      message.fields.map { "\($0.name): \($0.value)" }
      + ["\(message.idHeader): \(apnsID)"]
    let body = ["", String(decoding: bytes(of: push), as: UTF8.self), "", ""]
    return (head + headers + body).joined(separator: "\n")
  }

  func json(_ push: Push, apnsID: APNSID) -> JSON {
    PrintedRequest(
      method: "POST", url: "https://\(host)\(path(push))", headers: headers(apnsID),
      certificate: certificate, payload: bytes(of: push)
    ).jsonValue
  }

  /// A command that sends the request, so its device token is whole.
  func curl(_ push: Push, _ apnsID: APNSID) -> String {
    let command = CurlCommand(
      server: address.map { "https://\($0.authority)" }, path: message.path + push.token,
      fields: headers(apnsID), payload: bytes(of: push), usesCertificate: certificate != nil,
      roots: roots)
    return "\n\(command.text)\n"
  }

  private func headers(_ apnsID: APNSID) -> [(name: String, value: String)] {
    message.fields.map { ($0.name.text, $0.value) } + [(message.idHeader.text, apnsID.description)]
  }

  private func bytes(of push: Push) -> [UInt8] {
    push.chunk.withPayload(at: push.index) { Array($0) } ?? message.constantPayload?.bytes ?? []
  }

  private var host: String { address?.authority ?? "127.0.0.1" }

  private func path(_ push: Push) -> String {
    message.path + (showsTokens ? push.token : shortToken(push.token))
  }
}

/// A request as `--dry-run --json` prints it.
struct PrintedRequest: JSONDescribed {
  let method: String
  let url: String
  let headers: [(name: String, value: String)]
  /// The common name of the client certificate; nil when a provider token is used.
  let certificate: String?
  let payload: [UInt8]

  static let fields: [OutputField<Self>] = [
    .always("method", \.method, "The HTTP method.", .word(["POST", "GET", "DELETE"])),
    .always("url", \.url, "The URL, with the token shortened unless --show-tokens is given."),
    .always(
      "headers", { JSON.headers($0.headers) }, "The header fields, without the provider token.",
      .map(.text)),
    .sometimes("certificate", \.certificate, "The common name of the client certificate."),
    .always(
      "payload", { JSON.payload($0.payload) }, "The payload as it would be sent; null for none."),
  ]
}

extension Outputs {
  package static let dryRun = PrintedRequest.fields.keys()
}

extension JSON {
  /// An object of header fields.
  package static func headers(_ fields: [(name: String, value: String)]) -> JSON {
    fields.map { JSONMember(key: $0.name, value: .text($0.value)) }.object
  }

  /// A payload; null if it is not JSON.
  package static func payload(_ bytes: [UInt8]) -> JSON {
    (try? JSONReader().read(bytes)) ?? nil
  }
}
