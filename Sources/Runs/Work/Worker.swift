internal import APNS
internal import Delivery
internal import HTTP2
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import SQLQueue
internal import Settings

/// Sends runs of the queue, one after the other, until nothing is left that it could send.
struct Worker: ~Copyable {
  /// The interval between checks of the queue, in milliseconds.
  private static let interval = 500
  /// The same after a failure that keeps this worker from sending, such as a network that is down.
  private static let intervalAfterFailure = 30_000

  let number: RunNumber?
  let options: WorkOptions
  let means: WorkerSetup
  let context: Context
  let resources: RunResources
  let patience: DatabasePatience
  private let queue: WorkQueue
  /// The exit codes of the work so far.
  private var codes: [ExitCode] = []
  /// The runs left to other workers, or unreadable.
  private var leftAlone: Set<RunNumber> = []
  /// The time at which this worker last left each run.
  private var lastTurns: [RunNumber: UInt64] = [:]
  /// The time since which no run could begin, in nanoseconds; nil if the last one could.
  private var heldSince: UInt64?

  /// - Parameter number: the only run to send; nil for all.
  init(
    _ number: RunNumber?, _ options: WorkOptions, _ means: WorkerSetup, in resources: RunResources,
    _ context: Context
  ) throws(Failure) {
    (self.number, self.options, self.means, self.context) = (number, options, means, context)
    self.resources = resources
    patience = DatabasePatience(
      stays: options.stays, cancellation: resources.cancellation, context: context)
    queue = try answered(
      WorkQueue(at: means.location) { [cancellation = resources.cancellation] in
        cancellation.isOverdue
      })
  }

  /// The turn on a run that begins now; nil on the only run to send.
  var turn: WorkerTurn? {
    number == nil ? WorkerTurn(from: context.clock.monotonic(), ignoring: leftAlone) : nil
  }

  /// The behavior of a session while nothing of its run is available.
  var idling: QueuedChunks.Idling {
    number == nil ? .waitsUnlessNeeded(elsewhereThan: leftAlone) : .waits
  }

  private var isCancelled: Bool { resources.cancellation.isCancelled }

  /// - Throws: `Failure` when a run cannot be sent, or its results were lost.
  mutating func work() throws(Failure) -> Report {
    resources.cancellation.listen(context, atMost: means.settings.maxTime?.value)
    defer { resources.links?.close() }
    while !isCancelled {
      let sight = try look()
      if let run = sight.next {
        if try !send(run) { return Report(.merged(codes)) }
      } else if sight.isWaiting || options.stays && !isOver(sight) {
        pause(Self.interval)
      } else {
        return end(sight)
      }
    }
    return Report(context.signals.received ?? .merged(codes + [.unfinished]))
  }

  private func pause(_ milliseconds: Int) {
    resources.cancellation.pause(milliseconds: milliseconds, context.clock)
  }

  /// The only run it was told to send has ended.
  private func isOver(_ sight: QueueView) -> Bool { number != nil && sight.isDone }

  private func end(_ sight: QueueView) -> Report {
    let lines =
      sight.isDone ? [nothingLeft] : sight.lines(means.settings.senderOptions, queueOptions)
    for line in lines { context.teller.note(line) }
    return Report(.merged(codes + [sight.isDone ? .success : .unfinished]))
  }

  /// The options that named the queue, and the profiles.
  private var queueOptions: String {
    let history = means.settings.history.flatMap { $0.origin.isOption ? $0.value : nil }
    return [("history", history), ("config", context.configuration.named)].compactMap {
      name, path in
      path.map { " --\(name) \(shellWord($0))" }
    }.joined()
  }

  private var nothingLeft: String {
    if let number { return "Run \(number) has nothing left to do." }
    return leftAlone.isEmpty
      ? "Nothing is left in the queue." : "Nothing is left in the queue that this worker can send."
  }

  // MARK: Queue

  /// Checks the queue for this worker, repeatedly while the database is unreachable.
  private mutating func look() throws(Failure) -> QueueView {
    var awaySince: UInt64?
    while true {
      do throws(HistoryError) { return try lookOnce() } catch {
        awaySince = try note(error, since: awaySince)
        pause(1000)
        if isCancelled { return QueueView() }
      }
    }
  }

  /// - Parameter first: the time of the first such error; nil for this one.
  /// - Returns: the time of the first such error.
  /// - Throws: the error, unless the database may come back in time.
  private func note(_ error: HistoryError, since first: UInt64?) throws(Failure) -> UInt64 {
    let now = context.clock.monotonic()
    let since = first ?? now
    guard error.mayPass, patience.waits(error, now - since) else { throw .history(error) }
    return since
  }

  private mutating func lookOnce() throws(HistoryError) -> QueueView {
    for run in try candidates() where isFor(run) { return QueueView(next: run) }
    var sight = QueueView()
    for run in try queue.unfinished() where isFor(run) {
      if let standing = try queue.standing(of: run.run) { sight.add(run.run, standing) }
    }
    sight.stopped = try queue.stopped().filter { run in
      number.map { $0 == run.run } ?? (means.misfit(of: run.record, run.credentials) == nil)
    }.map(\.run)
    return sight
  }

  /// Urgent runs first, then those with the fewest workers, then those that had no turn for longest.
  private func candidates() throws(HistoryError) -> [QueuedRun] {
    let rank = { [lastTurns] (run: QueuedRun) in
      (run.isUrgent ? 0 : 1, run.workers, lastTurns[run.run] ?? 0, run.run.rawValue)
    }
    return try queue.candidates().sorted { rank($0) < rank($1) }
  }

  private mutating func isFor(_ run: QueuedRun) -> Bool {
    if let number { return run.run == number }
    if leftAlone.contains(run.run) { return false }
    guard let misfit = means.misfit(of: run.record, run.credentials) else { return true }
    leftAlone.insert(run.run)
    context.teller.note(Failure.misfit(run.run, misfit, means.server).sentence)
    return false
  }

  // MARK: Runs

  /// - Returns: nil when it could not begin because the database is unreachable or full.
  private mutating func shift(on run: QueuedRun) throws(Failure) -> Shift.Ending? {
    do throws(Failure) {
      let ending = try Shift(run, of: self).work()
      lastTurns[run.run] = context.clock.monotonic()
      heldSince = nil
      return ending
    } catch {
      // Once it has begun, the session itself waits, and reports lost results without the database.
      guard let cause = error.cause(HistoryError.self), cause.mayPass else { throw error }
      heldSince = try note(cause, since: heldSince)
      return nil
    }
  }

  /// - Returns: true to continue.
  private mutating func send(_ run: QueuedRun) throws(Failure) -> Bool {
    guard let ending = try shift(on: run) else {
      pause(Self.interval)
      return true
    }
    codes.append(ending.code)
    switch ending.next {
    case .look: break
    case .wait: pause(Self.interval)
    case .leave where number == nil: leftAlone.insert(run.run)
    case .leave: return false
    case .giveUp where options.stays: pause(Self.intervalAfterFailure)
    case .giveUp: return isCancelled
    }
    return true
  }
}

/// The time a worker waits for an unreachable database.
struct DatabasePatience {
  /// The limit without `--stay`, in nanoseconds.
  private static let usual: UInt64 = 600_000_000_000
  /// The limit after a request to end, in nanoseconds.
  private static let atTheEnd: UInt64 = 10_000_000_000

  let stays: Bool
  let cancellation: Cancellation
  let context: Context

  /// Decides whether to keep waiting. The first time it prints the reason.
  ///
  /// - Parameter nanoseconds: the time since the first failure; 0 the first time.
  func waits(_ error: HistoryError, _ nanoseconds: UInt64) -> Bool {
    if nanoseconds == 0 { context.teller.note("\(error.sentence) Trying again.") }
    if cancellation.isOverdue { return false }
    if cancellation.isCancelled { return nanoseconds < Self.atTheEnd }
    let isDenied = if case .denied = error { true } else { false }
    return stays && !isDenied || nanoseconds < Self.usual
  }
}

/// A worker's view of the queue.
struct QueueView {
  /// The run whose turn it is, of those that have something to send now; nil without one.
  var next: QueuedRun?
  /// Something may soon become available: others hold pushes, or lists are being read.
  private(set) var isWaiting = false
  /// The runs with deferred pushes left, and the next due time in milliseconds since 1970.
  private(set) var deferred: [(run: RunNumber, due: Int64)] = []
  /// The runs whose lists were not read to the end.
  private(set) var cutOff: [RunNumber] = []
  /// The stopped runs.
  var stopped: [RunNumber] = []

  init(next: QueuedRun? = nil) { self.next = next }

  /// Nothing is left.
  var isDone: Bool { deferred.isEmpty && cutOff.isEmpty && stopped.isEmpty }

  mutating func add(_ run: RunNumber, _ standing: QueueProgress) {
    if standing.isStopped || standing.state == .finished { return }
    if standing.free > 0 || standing.held > 0 || standing.isSenderAlive {
      isWaiting = true
    } else if let due = standing.nextDue {
      deferred.append((run, due))
    } else if standing.state == .enqueuing {
      cutOff.append(run)
    }
  }

  /// The remainder, for people.
  ///
  /// - Parameters:
  ///   - sender: the options that a worker needs again to send.
  ///   - queue: the options that name the queue.
  func lines(_ sender: String, _ queue: String) -> [String] {
    let waiting = deferred.map { run, due in
      "Run \(run) has deferred pushes left; the next is due at \(ISO8601.text(seconds: due / 1000))."
    }
    return waiting
      + cutOff.map {
        "The list of run \($0) was not read to its end: 'fanfare resume \($0)\(queue)' "
          + "goes on with it."
      }
      + stopped.map { "Run \($0) is stopped: 'fanfare work \($0)\(sender)\(queue)' continues it." }
  }
}

extension Settings {
  /// The options that said where to send and with which credentials.
  fileprivate var senderOptions: String {
    Self.fields.filter { [.place, .credentials].contains($0.part) }.compactMap { field in
      guard let origin = field.setting(self)?.origin, origin.isOption else { return nil }
      return field.text(self).map { " \(origin.text) \(shellWord($0))" }
    }.joined()
  }
}
