internal import APNS
internal import History
internal import JSONText
internal import PushModel
package import Reporting
internal import Runs
package import Settings

/// Shows a channel's storage policy and its record in the history.
package struct ChannelShow: Sendable, Equatable {
  package var settings = Settings()
  package var id = ""

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    let channel = try ChannelID(argument: id)
    let app = try ManagedApp(settings, context)
    if app.settings.dryRun.isOn { return app.dryRun(.read(channel), context) }
    var entry =
      try app.known.entry(of: channel)
      ?? ChannelEntry(channel, at: app.known.server, of: app.id)
    let pushes = try app.known.pushes(to: channel)
    let service = try app.service(context)
    guard case .details(let policy) = try service.ask(.read(channel)).reply else {
      return Report(.failure)
    }
    entry.policy = policy ?? entry.policy
    let report = report(entry, pushes).asJSON(settings.json?.value)
    guard let policy else { return report }
    return report.followed(
      by: app.keep { (known) throws(Failure) in try known.record(read: channel, policy) })
  }

  private func report(_ entry: ChannelEntry, _ pushes: [PushEntry]) -> Report {
    Report(parts: ShownChannel.fields.parts(of: ShownChannel(entry: entry, pushes: pushes)))
  }
}

/// A channel and the last pushes to it.
struct ShownChannel {
  let entry: ChannelEntry
  let pushes: [PushEntry]

  static let fields: [OutputField<Self>] = [
    .people { $0.entry.facts }, .all(ChannelEntry.fields) { $0.entry },
    .people { [.lines($0.pushes.isEmpty ? [] : ["", "\("Last pushes", .bold)"])] },
    .list(
      "pushes", \.pushes, "The last pushes to it, of up to five runs.", broadcast, isTable: true),
  ]

  /// A push to a channel.
  private static let broadcast: [OutputField<PushEntry>] = [
    .always("run", \.run.rawValue, "The run's number.", as: "run") { "\($0.run)" },
    .always("at", \.at, "When it got its result, in milliseconds since 1970.", as: "at") {
      moment($0.at)
    },
    .always("outcome", \.outcome, "What became of the push.", as: "outcome") {
      StyledText($0.outcome.words, $0.outcome.tone)
    },
    .people {
      let answer = [$0.response?.status.description, $0.response?.reason?.rawValue]
      return [.text("answer", StyledText(answer.compactMap(\.self).joined(separator: " ")))]
    }, .always("status", \.response?.status.rawValue, "The HTTP status of the answer."),
    .always("reason", \.response?.reason?.rawValue, "Why it was refused."),
    .always("requestID", \.apnsID.description, "The push's apns-request-id.", as: "request ID") {
      .verbatim("\($0.apnsID)")
    },
  ]
}
