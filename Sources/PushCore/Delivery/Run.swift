public import APNS
internal import Foundation
internal import HTTP2

/// Sends one notification to its recipients: a reader thread, a thread for each connection, and the
/// caller's thread, which records.
public struct Run: ~Copyable {
  /// What a run leaves behind.
  public struct Report: Sendable {
    /// The figures.
    public var summary: RunSummary
    /// Why the run ended early; nil when it did not.
    public var stopCause: StopCause?
    /// The result of the only push; nil when there were several or none.
    public var onlyResult: PushResult?
    /// What the apns-ids of this run are made of.
    public var identity: RunIdentity

    /// The `apns-id` of a push of this run.
    public func apnsID(of push: Push) -> APNSID { identity.apnsID(of: push) }
  }

  /// What the apns-ids of this run are made of.
  public let identity: RunIdentity

  private let plan: DeliveryPlan
  private let credentials: PushCredentials
  private let control: RunControl
  private let clock: RunClock
  private let work = ChunkQueue<PushChunk>(capacity: 8)

  /// A run that has not begun.
  public init(
    _ plan: DeliveryPlan, credentials: PushCredentials, control: RunControl = RunControl(),
    clock: RunClock = .system
  ) {
    self.plan = plan
    self.credentials = credentials
    self.control = control
    self.clock = clock
    identity = RunIdentity(given: plan.apnsID, clock)
  }

  /// Sends to all recipients and returns when each has a result or the run was stopped.
  ///
  /// - Parameters:
  ///   - recipients: who to send to.
  ///   - record: is given the results as they come, in batches, with the figures so far, on the
  ///     caller's thread.
  public consuming func perform(
    _ recipients: consuming sending RecipientReader, record: ([PushResult], RunSummary) -> Void
  ) -> Report {
    var recorder = Recorder(clock: clock, started: clock.monotonic())
    guard let wakes = RunWakes(connections: max(1, plan.connections)) else {
      control.stop(.outOfDescriptors)
      return recorder.report(RecipientReader.Counts(), control.cause, identity)
    }
    closeInputWhenInterrupted()
    let counts = readAll(recipients, wakes.reader)
    let results = sendAll(wakes.connections)
    recorder.record(results, wake: wakes.recorder, apply: record)
    return recorder.report(counts(), control.cause, identity)
  }

  private func closeInputWhenInterrupted() {
    control.whenStopped { [weak work] cause in
      if cause == .interrupted { work?.close() }
    }
  }

  /// Starts the connections' threads.
  ///
  /// - Returns: where their results come out.
  private func sendAll(_ wakes: [RunWakes.Pair]) -> ChunkQueue<[PushResult]> {
    let results = ChunkQueue<[PushResult]>(capacity: 16, producers: wakes.count)
    let setting = ConnectionSetting(
      plan: plan, identity: identity, credentials: credentials, work: work, results: results,
      opening: Opening(), pacer: plan.rate.map(Pacer.init), control: control, clock: clock)
    for (index, wakes) in wakes.enumerated() {
      Thread.detachNewThread {
        var connection = Connection(setting, wakes: wakes, isFirst: index == 0)
        connection.run()
      }
    }
    return results
  }

  /// Starts the reader's thread.
  ///
  /// - Returns: the counts of what was read so far.
  private func readAll(
    _ recipients: consuming sending RecipientReader, _ wake: Wake
  ) -> @Sendable () -> RecipientReader.Counts {
    let reading = Reading(recipients)
    let (work, control) = (work, control)
    Thread.detachNewThread { reading.putAll(into: work, wake: wake, control: control) }
    return { reading.counts }
  }
}
