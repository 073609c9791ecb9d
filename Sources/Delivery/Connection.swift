internal import Credentials
internal import HTTP2
internal import POSIX
internal import PushModel

/// Sends pushes over one link at a time, on its own thread, until no more come.
///
/// Carries out the decisions of `Window`, `RetryPolicy` and `Reconnect`.
struct Connection: ~Copyable {
  let setting: ConnectionSetting
  let wake: Wake
  var backlog = Backlog()
  var outbox: Outbox
  var reconnect = Reconnect()
  var trouble: LinkFailure?
  var needsNewToken: ProviderToken?
  /// A link broke, so pooled links of the same age are suspect.
  var hasLostLink = false
  /// The most streams to open. Halved when the server considers this client too aggressive.
  var streamLimit = Window.cap
  let policy: RetryPolicy
  let index: Int
  /// The next report to the scaler.
  var report = ConnectionScaling.Report()
  /// The notification was valid when the run began, but may expire before it ends.
  private let mayExpire: Bool
  /// The connection was added during the run and has no link yet. Until it has one, it leaves the
  /// recipients to the others.
  var isNewcomer: Bool
  var inputEnded = false
  /// The remaining work is left to others; this connection finishes what it has.
  var isRetired = false
  /// The time at which the pacer allows the next attempt; nil when nothing waits for the pacer.
  private var nextLeave: UInt64?
  /// The last answers to pushes that wait for their next attempt, by number: hardly any push has one.
  var lastAnswers: [UInt64: PendingPush.Answer] = [:]
  /// The last answer that asked to try a push again later.
  var lastPostponement: RunSummary.Refusal?
  /// What the run was told that this connection waits for.
  private var awaited: Awaited?

  /// - Parameter index: counts from 0; at the start, connection 0 goes ahead of the others.
  init(_ setting: ConnectionSetting, wakes: RunWakes.Pair, index: Int) {
    self.setting = setting
    self.index = index
    isNewcomer = index >= setting.plan.connections.atStart
    policy = RetryPolicy(rules: setting.plan.retryRules)
    mayExpire = setting.plan.expiresAt.map { $0 > setting.clock.epochSeconds } ?? false
    wake = wakes.general
    outbox = Outbox(
      queue: setting.results, wake: wakes.outbox, notes: setting.notes?.newConnection())
    setting.control.whenStopped { [weak wake] _ in wake?.call() }
    setting.plan.connectionLimit?.whenLowered { [weak wake] in wake?.call() }
  }

  /// Starts a connection's thread; false when the system has no thread left.
  static func start(_ setting: ConnectionSetting, _ index: Int, _ wakes: RunWakes.Pair) -> Bool {
    Thread.start {
      var connection = Connection(setting, wakes: wakes, index: index)
      connection.run()
    }
  }

  /// This connection goes ahead of the others at the start.
  var isFirst: Bool { index == 0 }

  /// Sends until the recipients end, the run is stopped or the rest is left to others. Every push
  /// it took gets a result.
  mutating func run() {
    if awaitTurn() {
      while awaitWork(), let link = connect() {
        serve(link)
        if !backlog.isReady { setting.opening.leave(index) }
      }
    }
    setting.opening.leave(index)
    recordTheRest()
    outbox.flush()
    if isRetired { setting.scaler.retired(index) }
    setting.results.producerDone()
  }

  /// The time over which connections that follow another after a pause are spread, in milliseconds.
  private static let spread = 1000

  /// Waits until a link may be opened: the run is not on hold, and the leading connection has had
  /// an answer or is this one. False when the run was stopped instead.
  mutating func awaitTurn() -> Bool {
    var follows = false
    while !setting.control.isStopping {
      let now = setting.clock.monotonic()
      giveUpUnleased(now: now)
      let held = setting.control.heldUntil(now: now)
      let isAdmitted = held == nil && setting.opening.admits(index, orWake: wake)
      if isAdmitted, !follows { return true }
      // The server that asked for the pause does not get all the others at once.
      let delay = isAdmitted ? UInt64(setting.clock.chance() * Double(Self.spread)) : nil
      follows = held == nil && !isAdmitted && setting.opening.isAfterPause
      outbox.flush()
      rest(until: delay.map { now + $0 * 1_000_000 } ?? held)
    }
    return false
  }

  /// Waits until there is something to send; false when there will be nothing more.
  private mutating func awaitWork() -> Bool {
    if isNewcomer { return !setting.control.isStopping }
    while !setting.control.isStopping {
      let now = setting.clock.monotonic()
      giveUpUnleased(now: now)
      backlog.wakeUp(now: now)
      let held = setting.control.heldUntil(now: now)
      if hasNext() && held == nil { return true }
      if inputEnded && backlog.isEmpty { return false }
      outbox.flush()
      tellAwaited()
      rest(until: held ?? backlog.nextDue)
    }
    return false
  }

  private mutating func tellAwaited() {
    var wait: Awaited?
    if let due = backlog.nextDue, let refusal = lastPostponement {
      wait = Awaited(.refusal(refusal), count: backlog.waitingCount, due: due)
    }
    if wait == awaited { return }
    awaited = wait
    setting.control.awaits(wait, on: index)
  }

  private func rest(until due: UInt64?) {
    let waits = [
      due.map { milliseconds(until: $0, from: setting.clock.monotonic()) }, leasePatience,
    ]
    guard let wait = waits.compactMap(\.self).min() else { return wake.wait(milliseconds: nil) }
    setting.clock.wait(wake, wait)
  }

  /// The longest wait before checking leases again, in milliseconds; nil when none is in use.
  private var leasePatience: Int? { backlog.dependsOnLease ? 1000 : nil }

  // MARK: Sending

  /// Sends over a link until it is used up, lost or no longer needed.
  private mutating func serve(_ opened: consuming ActiveLink) {
    var link = opened
    var failure: (any Error)?
    setting.scaler.linked()
    setting.plan.observer?(.opened)
    do { try sendAll(over: &link) } catch { failure = error }
    // Another connection may take the link from the pool at once and would count it twice.
    setting.scaler.unlinked()
    setting.plan.observer?(.closed(link.farewell ?? failure.map(evidence(of:))))
    if failure == nil, let pool = setting.links, link.isWorthKeeping {
      return pool.put(link.release())
    }
    if failure == nil { link.sayGoodbye() }
    if failure != nil || link.isSilent { hasLostLink = true }
    end(&link, failure)
    // A proven link that broke does not count, since measuring restarts with the next one. Idle
    // links that the server closed never get here.
    if link.session.goAway != nil || failure != nil && !link.hasServed {
      setting.scaler.lost(now: setting.clock.monotonic(), isTooEager: false)
    }
  }

  /// Cleans up after a link that can no longer be used.
  mutating func end(_ link: inout ActiveLink, _ failure: (any Error)?) {
    link.session.abandon()
    let troubles = report.troubles
    _ = handleEnded(of: &link)
    // Requests lost with a proven link do not mean that the server is slow.
    if link.hasServed { report.troubles = troubles }
    noteEnd(of: link, failure)
  }

  private mutating func sendAll(over link: inout ActiveLink) throws {
    while true {
      let now = setting.clock.monotonic()
      try fill(&link, now: now)
      let hadRoom = link.room > 0
      report.isFull = !hadRoom
      let isFull = try link.exchangeBytes(now: now)
      let hasEnded = handleEnded(of: &link)
      outbox.flushIfDue(now: now)
      if link.isProbeDue(now: now) || link.isSilent { leaveToOthers() }
      tellScaler(of: link, now: now)
      if isDone(with: link, now: now) { return }
      try link.checkDeadlines(now: now)
      // SETTINGS may have made room for waiting pushes; nothing else would end the wait.
      let hasNewRoom = !hadRoom && link.room > 0
      if !hasEnded && !hasNewRoom { wait(on: link, isFull: isFull) }
    }
  }

  private mutating func tellScaler(of link: borrowing ActiveLink, now: UInt64) {
    report.window = link.window.isProven ? link.window.size : 0
    // A link has no room after GOAWAY, however little is open; more connections would not help.
    if link.isUsedUp { report.isFull = false }
    let newcomers = setting.scaler.take(report, from: index, now: now)
    (report.answers, report.troubles, report.idleTime, report.isSilent) = (0, 0, 0, false)
    report.quickest = .max
    var pairs = newcomers.isEmpty ? [] : RunWakes.pairs(newcomers.count)
    for index in newcomers {
      setting.results.addProducer()
      if let wakes = pairs.popLast(), Connection.start(setting, index, wakes) { continue }
      setting.results.producerDone()
      setting.scaler.failedToStart(index, .system, now: now)
    }
  }

  /// Has other connections go on with what this one has not sent yet, because it gets no answers.
  private mutating func leaveToOthers() {
    setting.opening.waits(index)
    if !inputEnded { putBackRest() }
    report.isSilent = setting.work.filling(\.openCount).size > 0
  }

  /// Opens as many streams as the window allows.
  private mutating func fill(_ link: inout ActiveLink, now: UInt64) throws {
    var (sent, last) = (0, UInt64(0))
    // Runs before anything is on the wire.
    defer {
      setting.control.opened(sent)
      outbox.note(sentUpTo: last)
    }
    giveUpUnleased(now: now)
    backlog.wakeUp(now: now)
    nextLeave = nil
    retireIfUnwanted()
    guard setting.control.heldUntil(now: now) == nil else { return }
    let isProbing = !link.window.isProven
    guard link.room > 0, hasNext(isProbing), try link.isAwake(now: now) else { return }
    link.use(try setting.credentials.token(), now: now)
    while link.room > 0, hasNext(isProbing), mayGo(now: now),
      let push = backlog.take(isFreshFirst: isProbing)
    {
      if hasExpired(push) || isWithdrawn(push) { continue }
      let sequence = push.push.sequence
      if !lastAnswers.isEmpty { lastAnswers[sequence] = nil }
      do {
        try link.send(push, now: now)
      } catch {
        backlog.add(again: error.push)
        throw error.cause
      }
      (sent, last) = (sent + 1, max(last, sequence))
    }
  }

  /// Hands its unsent pushes to the other connections if this one is no longer needed. The first
  /// connection always stays.
  private mutating func retireIfUnwanted() {
    guard !inputEnded, !setting.scaler.wants(index) else { return }
    (inputEnded, isRetired) = (true, true)
    putBackRest()
  }

  /// Puts back what it has not sent yet; keeps it when the others may have ended.
  private mutating func putBackRest() {
    guard let rest = backlog.takeRest(), !setting.work.putBack(rest) else { return }
    inputEnded = true
    backlog.add(rest)
  }

  /// Checks for a push that can go now, taking another chunk when the backlog has none.
  ///
  /// - Parameter prefersFresh: takes one as well when only resends are left, since they may have been
  ///   silent.
  private mutating func hasNext(_ prefersFresh: Bool = false) -> Bool {
    if setting.control.isStopping { return false }
    while !(prefersFresh ? backlog.hasFresh : backlog.isReady), !inputEnded {
      retireIfUnwanted()
      if inputEnded { break }
      switch setting.work.take(orWake: wake) {
      case .element(let chunk): add(chunk)
      case .empty: return backlog.isReady && !setting.control.isStopping
      case .finished: inputEnded = true
      }
    }
    // A chunk that arrived after the run was stopped must not go out.
    return backlog.isReady && !setting.control.isStopping
  }

  private mutating func add(_ chunk: PushChunk) {
    if !chunk.isWhole {
      for index in 0..<chunk.count {
        if let result = chunk.resultUnsent(at: index) { outbox.add(result) }
      }
    }
    backlog.add(chunk)
    if chunk.claim != nil { giveUpUnleased(now: setting.clock.monotonic()) }
  }

  /// Drops the pushes that other workers may send from now on.
  private mutating func giveUpUnleased(now: UInt64) {
    for push in backlog.takeUnleased(now: now) { recordUnsent(push) }
  }

  private func hasLastAnswer(_ push: PendingPush) -> Bool {
    !lastAnswers.isEmpty && lastAnswers[push.push.sequence] != nil
  }

  /// Records a push that expired while it waited.
  private mutating func hasExpired(_ push: PendingPush) -> Bool {
    guard mayExpire || push.push.chunk.message != nil || hasLastAnswer(push),
      let end = push.push.chunk.message.map(\.expiresAt) ?? setting.plan.expiresAt,
      end <= setting.clock.epochSeconds
    else { return false }
    recordUnanswered(push, push.trials.isInDoubt ? .unknown : .skipped)
    return true
  }

  /// Records a push that its sender no longer wants.
  private mutating func isWithdrawn(_ push: PendingPush) -> Bool {
    guard push.push.chunk.sender?.mayGo(at: push.push.index) == false else { return false }
    recordUnsent(push)
    return true
  }

  private mutating func mayGo(now: UInt64) -> Bool {
    nextLeave = setting.pacer?.take(now: now)
    return nextLeave == nil
  }

  /// Checks that the link has nothing left to do: nothing is in flight or can be sent for now.
  private func isDone(with link: borrowing ActiveLink, now: UInt64) -> Bool {
    guard link.session.openCount == 0 else { return false }
    let isOver = setting.control.isStopping || (inputEnded && backlog.isEmpty)
    return link.isUsedUp || isOver || setting.control.heldUntil(now: now) != nil
  }

  /// Waits for bytes, recipients, a push that is due, or the next check of the deadlines: four per
  /// timeout, and at least four a second.
  private mutating func wait(on link: borrowing ActiveLink, isFull: Bool) {
    if link.session.openCount == 0, !backlog.isReady { setting.opening.leave(index) }
    outbox.flush()
    tellAwaited()
    let tick = min(250, setting.plan.attemptTimeoutMilliseconds / 4 + 1)
    let now = setting.clock.monotonic()
    let dues = [backlog.nextDue, nextLeave].compactMap {
      $0.map { milliseconds(until: $0, from: now) }
    }
    let waits = [link.hasDeadline ? tick : nil, leasePatience].compactMap(\.self) + dues
    link.wait(forRoom: isFull, wake: wake, milliseconds: waits.min())
    report.idleTime += setting.clock.monotonic() - now
  }

  /// Gives a result to every push that was not sent when the run was stopped.
  private mutating func recordTheRest() {
    repeat {
      backlog.wakeUp(now: .max)
      while let push = backlog.take() { recordUnsent(push) }
      outbox.flush()
      guard !isRetired, let chunk = setting.work.take(waitingOn: wake) else { return }
      add(chunk)
    } while true
  }

  /// Records a push that will not be sent, or not again.
  private mutating func recordUnsent(_ push: PendingPush) {
    recordUnanswered(push, RetryPolicy.outcomeWhenStopped(push.trials))
  }
}

/// The time until then, rounded up; 0 when it has passed.
func milliseconds(until due: UInt64, from now: UInt64) -> Int {
  due > now ? Int(clamping: (due - now + 999_999) / 1_000_000) : 0
}
