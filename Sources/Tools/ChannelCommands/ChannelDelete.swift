internal import APNS
internal import History
internal import JSONText
package import Reporting
internal import Runs
package import Settings

/// Deletes a channel permanently.
package struct ChannelDelete: Sendable, Equatable {
  package var settings = Settings()
  package var id = ""

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    let channel = try ChannelID(argument: id)
    let app = try ManagedApp(settings, context)
    if app.settings.dryRun.isOn { return app.dryRun(.delete(channel), context) }
    try app.known.check()
    if app.settings.yes == nil { try confirm(channel, app, context) }
    let service = try app.service(context)
    do throws(Failure) {
      let id = try service.ask(.delete(channel)).requestID
      return report(channel, id, app)
        .followed(by: app.keep { (known) throws(Failure) in try known.record(deleted: channel) })
    } catch {
      // Deleted elsewhere; the history should not keep listing it.
      if case .refused(let response)? = error.cause(ChannelRequestFault.self),
        response.reason == .channelNotRegistered, try app.known.entry(of: channel) != nil
      {
        try app.known.record(deleted: channel)
      }
      throw error
    }
  }

  private func report(_ channel: ChannelID, _ requestID: APNSID, _ app: ManagedApp) -> Report {
    let entry = ChannelEntry(channel, at: app.known.server, of: app.id)
    let deleted = DeletedChannel(entry: entry, requestID: requestID)
    guard let fields = settings.json?.value else {
      return app.settings.quiet.isOn
        ? Report() : Report().preceded(by: [.lines([.verbatim("Deleted channel \(channel).")])])
    }
    return Report(parts: deleted.parts).asJSON(fields)
  }

  /// - Throws: `Failure` unless the answer is yes, or if there is no terminal.
  private func confirm(
    _ channel: ChannelID, _ app: ManagedApp, _ context: Context
  ) throws(Failure) {
    let question =
      "This deletes channel \(channel) of \(app.id) in \(app.known.server) for good.\n"
      + "Proceed? [y/N] "
    guard let isYes = context.teller.confirms(question) else { throw .deletionNeedsConsent }
    if !isYes { throw .channelKept }
  }
}

/// A channel that is no more, in JSON.
struct DeletedChannel: JSONDescribed {
  let entry: ChannelEntry
  let requestID: APNSID

  static let fields: [OutputField<Self>] = [
    .all(ChannelEntry.place, of: \.entry), .always("deleted", { _ in true }, "Always true."),
    .always("requestID", \.requestID.description, "The apns-request-id of the deletion."),
  ]
}

extension Failure {
  fileprivate static var deletionNeedsConsent: Failure {
    Failure(
      "Deleting a channel needs confirmation, and there is no terminal to ask on.",
      fix: "Give --yes.")
  }

  fileprivate static var channelKept: Failure {
    Failure("Nothing was deleted.", fix: "'fanfare channel list' shows the app's channels.")
  }
}
