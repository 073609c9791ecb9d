internal import APNS
internal import History
package import Reporting
internal import Runs
package import Settings

/// Lists the channels of an app, or those in the history.
package struct ChannelList: Sendable, Equatable {
  package var settings = Settings()
  /// Reads the history only; APNs is not asked.
  package var isKnown = false
  /// Prints only IDs, one per line, for shells.
  package var onlyIDs = false

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    if settings.json != nil, onlyIDs { throw .conflict("--json", "--ids") }
    if isKnown {
      let channels = try known(context)
      return report(
        channels, isPlaced: true, "The history knows of no channels that exist.")
    }
    let app = try ManagedApp(settings, context)
    if app.settings.dryRun.isOn { return app.dryRun(.list, context) }
    let service = try app.service(context)
    guard case .channels(let ids) = try service.ask(.list).reply else { return Report(.failure) }
    let entries = Dictionary(
      try app.known.entries().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let channels = ids.map {
      entries[$0] ?? ChannelEntry($0, at: app.known.server, of: app.id)
    }
    return report(
      channels, isPlaced: false, "\(app.id) has no channels in \(app.known.server).")
  }

  /// Channels not deleted from here, filtered by the app and server that the settings name, if any.
  private func known(_ context: Context) throws(Failure) -> [ChannelEntry] {
    if settings.dryRun.isOn { throw .conflict("--known", "--dry-run") }
    if settings.keepsHistory.isOff { throw .conflict("--known", "--no-history") }
    let merged = try settings.merged(reading: [.place, .headers, .telling], context)
    let app = try merged.bundleID.map { (id) throws(Failure) in
      try BundleID(id.value, from: id.origin.text)
    }
    let server = try merged.environment.flatMap { (_) throws(Failure) in
      let choice = try ServerChoice(merged, context)
      return choice.alternative == nil ? choice.environment : nil
    }
    return try KnownChannels.existing(merged, at: server, of: app, context)
  }

  /// - Parameter none: what is said if there are none.
  private func report(
    _ channels: [ChannelEntry], isPlaced: Bool, _ none: StyledText
  ) -> Report {
    if channels.isEmpty, settings.json == nil, !onlyIDs, !settings.quiet.isOn {
      return Report().followed(by: [.lines([none])])
    }
    if onlyIDs { return Report(parts: [.lines(channels.map { .verbatim($0.id.text) })]) }
    return Report(
      parts: [.table(nil, channels.map { $0.row(isPlaced: isPlaced) })],
      form: settings.json == nil ? .line : .lines
    ).asJSON(settings.json?.value)
  }
}
