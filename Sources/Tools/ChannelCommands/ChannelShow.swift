internal import APNS
internal import History
internal import JSONText
internal import PushModel
package import Reporting
internal import Sending
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
    let pushes = try app.known.pushes(to: channel).map(\.broadcastRow)
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

  private func report(_ entry: ChannelEntry, _ pushes: [[Report.Part]]) -> Report {
    Report(
      parts: entry.facts + [
        .lines(pushes.isEmpty ? [] : ["", "\("Last pushes", .bold)"]), .table("pushes", pushes),
      ])
  }
}

extension PushEntry {
  /// A row for a push to a channel.
  fileprivate var broadcastRow: [Report.Part] {
    let answer = [response?.status.description, response?.reason?.rawValue].compactMap(\.self)
    return [
      .fact("run", "run", .number(run.rawValue), shown: "\(run)"),
      .fact("at", "at", .number(at), shown: moment(at)),
      .fact(
        "outcome", "outcome", .text(outcome.rawValue),
        shown: StyledText(outcome.words, outcome.tone)),
      .text("answer", StyledText(answer.joined(separator: " "))),
      .json("status", .number(response?.status.rawValue)),
      .json("reason", .text(response?.reason?.rawValue)),
      .fact("request ID", "requestID", .text(apnsID.description), shown: .verbatim("\(apnsID)")),
    ]
  }
}
