internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import JSONText
package import Opening
internal import PlainText
internal import PushModel
internal import Recipients
package import Reporting
package import Runs
internal import Settings

// Requests that are printed instead of sent.
extension SendPlanner {
  /// Prints the requests for each environment that would be tried.
  package func dryRun(_ message: Message, _ destination: Destination) throws(Failure) -> Report {
    let credentials = destination.credentials
    try tellQueue(destination)
    context.teller.detail(credentials.rows(now: context.clock.epochSeconds))
    let sending = try sending()
    let certificate = credentials.certificate
    let name = certificate.flatMap { $0.certificate?.facts.commonName ?? $0.name }
    return Report(
      .merged(try destination.server.environments.map { (environment) throws(Failure) in
        let isFirst = environment == destination.server.environment
        let printer = RequestText(
          address: isFirst ? destination.server.address : environment.address, message: message,
          certificate: name,
          showsTokens: settings.showTokens.isOn)
        return try dryRun(printer, try sending.recipients(message))
      }))
  }

  private func dryRun(
    _ printer: RequestText, _ recipients: consuming sending RecipientReader
  ) throws(Failure) -> ExitCode {
    let identity = RunIdentity(given: printer.message.apnsID, context.clock)
    let skipped = SkippedLines("skipped rows", context.teller)
    while let chunk = try recipients.nextChunk() {
      for push in chunk.pushes where !skipped.reports(push) {
        let id = identity.apnsID(of: push)
        context.teller.data.write(
          settings.json?.value.line(printer.json(push, apnsID: id))
            ?? Array(printer.text(push, apnsID: id).utf8))
      }
    }
    if recipients.counts.lines == 0 { throw .noRecipients }
    return recipients.counts.badLines + skipped.count > 0 ? .failure : .success
  }
}

/// A request as `--dry-run` prints it: complete except for the provider token.
private struct RequestText {
  /// The server; nil for an emulator in this process.
  let address: ServerAddress?
  let message: Message
  /// The common name of the client certificate; nil when a provider token is used.
  let certificate: String?
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
    let headers = message.fields.map { Report.Part.json($0.name.text, .text($0.value)) }
    let parts: [Report.Part] = [
      .json("method", "POST"), .json("url", .text("https://\(host)\(path(push))")),
      .object("headers", headers + [.json(message.idHeader.text, .text(apnsID.description))]),
    ]
    let signer = certificate.map { [Report.Part.json("certificate", .text($0))] } ?? []
    let body: JSON = (try? JSONReader().read(bytes(of: push))) ?? nil
    return Report(parts: parts + signer + [.json("payload", body)]).json
  }

  private func bytes(of push: Push) -> [UInt8] {
    push.chunk.withPayload(at: push.index) { Array($0) } ?? message.constantPayload?.bytes ?? []
  }

  private var host: String { address?.authority ?? "127.0.0.1" }

  private func path(_ push: Push) -> String {
    message.path + (showsTokens ? push.token : shortToken(push.token))
  }
}

extension SendPlanner {
  /// Explains, for a dry run with `--enqueue`, how the requests would be sent.
  func tellQueue(_ destination: Destination) throws(Failure) {
    guard settings.enqueue.isOn, context.teller.level != .quiet else { return }
    let place = HistoryLocation(try settings.queueLocation(context)).shown
    let credentials = try destination.credentialsForQueue(settings, context)
    context.teller.warn(
      "Without --dry-run they would be enqueued at \(place.printable), for workers with "
        + "\(credentials.words).")
  }
}
