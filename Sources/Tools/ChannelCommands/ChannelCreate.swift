internal import APNS
internal import History
package import Reporting
internal import Sending
package import Settings

/// Creates a channel, and prints its ID.
package struct ChannelCreate: Sendable, Equatable {
  package var settings = Settings()
  /// APNs keeps the latest push for devices that are offline.
  package var stores = false

  package init() {}

  package func run(_ context: Context) throws(Failure) -> ExitCode {
    let app = try ManagedApp(settings, context)
    let request = ChannelRequest.create(stores ? .latest : .nothing)
    if app.settings.dryRun.isOn { return app.dryRun(request, context) }
    try app.known.check()
    let service = try app.service(context)
    // Wait for the answer: the new channel has to be recorded and printed.
    context.signals.take {
      context.say("Waiting for the answer: the channel may exist. Interrupt again to stop waiting.")
    }
    do throws(Failure) {
      let (reply, id) = try service.ask(request)
      return .merged(
        [try tell(reply, id, app, context)] + [context.signals.received].compactMap(\.self))
    } catch {
      guard case .unknown? = error.cause as? ChannelRequestFault else { throw error }
      context.warn(error)
      app.tellOfUnknown(service, context)
      return error.exitCode
    }
  }

  private func tell(
    _ reply: ChannelReply, _ requestID: APNSID, _ app: ManagedApp, _ context: Context
  ) throws(Failure) -> ExitCode {
    guard case .created(let channel) = reply else { return .failure }
    let policy: StoragePolicy = stores ? .latest : .nothing
    let entry = app.known.created(channel, policy, requestID: requestID)
    let report = Report(parts: entry.parts + [.lines([.verbatim(channel.text)])])
    let code = context.tell(report, asJSON: app.settings.json != nil)
    let kept = app.keep(context) { (known) throws(Failure) in try known.record(entry) }
    context.output.flush()
    // Without the ID the channel cannot be deleted.
    if context.output.failure != nil { context.say("Channel \(channel) was created.") }
    return .merged([code, kept])
  }
}

extension ManagedApp {
  /// After a creation in doubt, lists the channels that could be the new one.
  fileprivate func tellOfUnknown(_ service: ChannelService, _ context: Context) {
    guard case .channels(let all)? = try? service.ask(.list, repeats: 0).reply else { return }
    let known = Set(((try? self.known.entries()) ?? []).map(\.id))
    let others = all.filter { !known.contains($0) }
    switch others.count {
    case 0: context.say("\(id) has no channel that was not created from here before.")
    case 1...5:
      context.say(
        "It may be one of these, which were not created from here:\n"
          + others.map { "  \($0)" }.joined(separator: "\n"))
    default:
      context.say("It may be one of \(counted(others.count, "channel")) not created from here.")
    }
  }
}
