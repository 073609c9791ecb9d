internal import APNS
internal import HTTP2

/// Sends pushes over one link at a time, on a thread of its own, until no more come.
///
/// It carries out what the values around it decide: `Window`, `RetryPolicy`, `Reconnect`.
struct Connection: ~Copyable {
  let setting: ConnectionSetting
  let wake: Wake
  var backlog = Backlog()
  var outbox: Outbox
  var reconnect = Reconnect()
  var trouble: Trouble?
  var needsNewToken: ProviderToken?
  private let isFirst: Bool
  private var inputEnded = false

  /// - Parameter isFirst: whether this connection goes ahead of the others.
  init(_ setting: ConnectionSetting, wakes: RunWakes.Pair, isFirst: Bool) {
    self.setting = setting
    self.isFirst = isFirst
    wake = wakes.general
    outbox = Outbox(queue: setting.results, wake: wakes.outbox)
    setting.control.whenStopped { [weak wake] _ in wake?.call() }
  }

  /// Sends until the recipients end or the run is stopped. Every push it took gets a result.
  mutating func run() {
    awaitTurn()
    while awaitWork(), let link = connect() { serve(link) }
    setting.opening.end()
    recordTheRest()
    outbox.flush()
    setting.results.producerDone()
  }

  private func awaitTurn() {
    while !isFirst, !setting.control.isStopping, !setting.opening.isOver(orWake: wake) {
      wake.wait(milliseconds: nil)
    }
  }

  /// Waits until there is something to send; false when there never will be.
  private mutating func awaitWork() -> Bool {
    while backlog.isEmpty, !setting.control.isStopping {
      outbox.flush()
      guard let chunk = setting.work.take(waitingOn: wake) else { return false }
      backlog.add(chunk)
    }
    return !setting.control.isStopping
  }

  // MARK: Sending

  /// Sends over a link until it is used up, lost or no longer needed.
  private mutating func serve(_ opened: consuming OpenLink) {
    var link = opened
    var failure: (any Error)?
    do { try sendAll(over: &link) } catch { failure = error }
    link.session.abandon()
    handle(link.takeEnded(), of: &link)
    noteEnd(of: link, failure)
  }

  private mutating func sendAll(over link: inout OpenLink) throws {
    while true {
      let now = setting.clock.monotonic()
      try fill(&link, now: now)
      let isFull = try link.exchangeBytes()
      let ended = link.takeEnded()
      handle(ended, of: &link)
      outbox.flushIfDue(now: now)
      if isDone(with: link) { return link.sayGoodbye() }
      try link.checkDeadlines(now: now)
      if ended.isEmpty { wait(on: link, isFull: isFull) }
    }
  }

  /// Opens as many streams as the window has room for.
  private mutating func fill(_ link: inout OpenLink, now: UInt64) throws {
    guard link.room > 0 else { return }
    link.use(try setting.tokens.token())
    var sent = 0
    defer { setting.control.opened(sent) }
    while link.room > 0, let push = nextPush() {
      do {
        try link.send(push, now: now)
      } catch {
        backlog.add(again: push)
        throw error
      }
      sent += 1
    }
  }

  private mutating func nextPush() -> PendingPush? {
    if setting.control.isStopping { return nil }
    if let push = backlog.take() { return push }
    if inputEnded { return nil }
    switch setting.work.take(orWake: wake) {
    case .element(let chunk): backlog.add(chunk)
    case .empty: return nil
    case .finished: inputEnded = true
    }
    return backlog.take()
  }

  /// Whether the link has nothing left to do: nothing in flight, and nothing more may or will come.
  private func isDone(with link: borrowing OpenLink) -> Bool {
    guard link.session.openCount == 0 else { return false }
    return link.isUsedUp || setting.control.isStopping || (inputEnded && backlog.isEmpty)
  }

  /// Waits for bytes, for recipients, or for the next look at the deadlines: four in each time-out,
  /// and at least four a second.
  private mutating func wait(on link: borrowing OpenLink, isFull: Bool) {
    outbox.flush()
    let hasDeadline = link.session.openCount > 0 || link.room == 0
    let tick = min(250, setting.plan.attemptTimeoutMilliseconds / 4 + 1)
    link.wait(forRoom: isFull, wake: wake, milliseconds: hasDeadline ? tick : nil)
  }

  /// What was not sent when the run was stopped gets its result all the same.
  private mutating func recordTheRest() {
    repeat {
      while let push = backlog.take() {
        record(push, RetryPolicy.outcomeWhenStopped(wasInDoubt: push.isInDoubt))
      }
      outbox.flush()
      if let chunk = setting.work.take(waitingOn: wake) { backlog.add(chunk) }
    } while !backlog.isEmpty
  }
}
