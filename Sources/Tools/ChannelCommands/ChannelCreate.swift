internal import APNS
internal import History
package import Reporting
internal import Runs
package import Settings

/// Creates a channel, and prints its ID.
package struct ChannelCreate: Sendable, Equatable {
  package var settings = Settings()
  /// APNs keeps the latest push for devices that are offline.
  package var stores = false

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    let app = try ManagedApp(settings, context)
    let request = ChannelRequest.create(stores ? .latest : .nothing)
    if app.settings.dryRun.isOn { return app.dryRun(request, context) }
    try app.known.check()
    let service = try app.service(context)
    // Wait for the answer: the new channel has to be recorded and printed.
    context.signals.take {
      context.teller.warn(
        "Waiting for the answer: the channel may exist. Interrupt again to stop waiting.")
    }
    do throws(Failure) {
      let (reply, id) = try service.ask(request)
      return report(reply, id, app).merging(context.signals.received)
    } catch {
      guard case .unknown? = error.cause(ChannelRequestFault.self) else { throw error }
      return Report(error.exitCode)
        .followed(by: error.parts() + [.lines(app.candidates(service))])
    }
  }

  private func report(
    _ reply: ChannelReply, _ requestID: APNSID, _ app: ManagedApp
  ) -> Report {
    guard case .created(let channel) = reply else { return Report(.failure) }
    let policy: StoragePolicy = stores ? .latest : .nothing
    let entry = app.known.created(channel, policy, requestID: requestID)
    let failure = app.keep { (known) throws(Failure) in try known.record(entry) }
    var report = Report(parts: entry.parts + [.lines([.verbatim(channel.text)])])
      .asJSON(app.settings.json?.value).followed(by: failure)
    // Without the ID the channel cannot be deleted.
    report.ifLost = [.lines([.verbatim("Channel \(channel) was created.")])]
    return report
  }
}

extension ManagedApp {
  /// The channels that could be the new one, after a creation in doubt.
  fileprivate func candidates(_ service: ChannelService) -> [StyledText] {
    guard case .channels(let all)? = try? service.ask(.list, repeats: 0).reply else { return [] }
    let known = Set(((try? self.known.entries()) ?? []).map(\.id))
    let others = all.filter { !known.contains($0) }
    switch others.count {
    case 0: return ["\(id) has no channel that was not created from here before."]
    case 1...5:
      return ["It may be one of these, which were not created from here:"]
        + others.map { .verbatim("  \($0)") }
    default: return ["It may be one of \(counted(others.count, "channel")) not created from here."]
    }
  }
}
