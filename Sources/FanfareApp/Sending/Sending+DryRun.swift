internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import Projects
internal import PushModel
internal import Recipients

// Requests that are printed, and not sent.
extension Sending {
  /// Prints the requests, to each environment that would be asked.
  func dryRun(_ message: Message, _ destination: Destination) throws(Failure) -> ExitCode {
    let credentials = destination.credentials
    if settings.verbose.isOn {
      let rows = SignerText(credentials, now: context.clock.epochSeconds).rows
      context.errors.write(PlanText.lines(rows))
      context.errors.flush()
    }
    let certificate = credentials.certificate
    let name = certificate.flatMap { $0.certificate?.facts.commonName ?? $0.name }
    return ExitCode.merged(
      try destination.server.environments.map { (environment) throws(Failure) in
        let printer = RequestText(
          environment: environment, fields: message.fields, payload: message.constantPayload,
          showsTokens: settings.showTokens.isOn, certificate: name)
        return try dryRun(message, printer, try recipients(message))
      })
  }

  private func dryRun(
    _ message: Message, _ printer: RequestText, _ recipients: consuming sending RecipientReader
  ) throws(Failure) -> ExitCode {
    let identity = RunIdentity(given: message.apnsID, context.clock)
    let skipped = SkippedRowReport(context, isQuiet: settings.quiet.isOn)
    while let chunk = try recipients.nextChunk() {
      for push in chunk.pushes where !skipped.tells(of: push) { print(push, identity, printer) }
    }
    if recipients.counts.lines == 0 { throw .noRecipients }
    return recipients.counts.badLines + skipped.count > 0 ? .failure : .success
  }

  private func print(_ push: Push, _ identity: RunIdentity, _ printer: RequestText) {
    let id = identity.apnsID(of: push)
    if settings.json.isOn {
      context.output.write(printer.json(push, apnsID: id))
    } else {
      context.output.write(printer.text(push, apnsID: id))
    }
  }
}

extension RecipientReader {
  /// The next chunk, with this program's own error.
  fileprivate mutating func nextChunk() throws(Failure) -> PushChunk? {
    do throws(ListError) {
      return try next()
    } catch {
      throw .list(error)
    }
  }
}
