internal import APNS
package import Delivery
package import HTTP2
internal import POSIX
package import PushEmulator
package import Reporting
package import Settings
internal import Synchronization

/// The resources shared by the runs of a command: servers, connections and cancellation.
///
/// One emulator in this process serves all runs. Scenarios with a script have their own, because
/// scripts count requests.
package final class RunResources: Sendable {
  private struct Key: Hashable {
    let environment: PushEnvironment
    let address: ServerAddress?
    let roots: String?
    let proxy: ProxySetting?
    let emulatesProduction: Bool
    /// The scenario with its own emulator; nil for the shared one.
    let owner: String?
  }

  /// Connections for later runs to reuse; nil for a single run, which closes its own.
  package let links: LinkPools?
  /// False for concurrent runs, which would overwrite each other's progress line.
  package let showsProgress: Bool
  package let cancellation = Cancellation()

  /// A script for every emulator, which replaces those of scenarios; nil for none.
  private let script: FaultScript?
  private let scripts = Mutex<[String: FaultScript]>([:])
  private let endpoints = Mutex<[Key: Endpoint]>([:])
  /// Set when a run has prepared the result files, which all runs share.
  private let hasBegunOutputs = Mutex(false)

  /// For a command with a single run, or with consecutive runs.
  ///
  /// - Parameter links: the connections passed from run to run; nil for a single run.
  init(links: LinkPools? = nil) { (self.links, showsProgress, script) = (links, true, nil) }

  /// - Parameter path: a script for every emulator, which replaces those of scenarios; nil for
  ///   none.
  /// - Throws: `Failure` when the script is unreadable or invalid.
  package init(script path: String?, links: LinkPools, showsProgress: Bool) throws(Failure) {
    (self.links, self.showsProgress) = (links, showsProgress)
    script = if let path { try readScript(path) } else { nil }
  }

  /// Scenarios' own scripts are ignored.
  package var replacesScripts: Bool { script != nil }

  /// The script that the emulator plays for a scenario; nil for none.
  ///
  /// - Throws: `Failure` when the script is unreadable or invalid.
  package func script(for scenario: Scenario?) throws(Failure) -> FaultScript? {
    if let script { return script }
    guard let path = scenario?.script else { return nil }
    if let script = scripts.withLock({ $0[path] }) { return script }
    let script = try readScript(path)
    scripts.withLock { $0[path] = script }
    return script
  }

  /// Prepares the result files, once: earlier results are kept until the first run can begin.
  ///
  /// - Parameters:
  ///   - run: the run to continue, whose results are appended to; nil for a new one.
  ///   - appending: whether to keep the files' contents in any case.
  func begin(
    _ outputs: RunOutputs, continuing run: CommittedRun?, appending: Bool
  ) throws(Failure) {
    try hasBegunOutputs.withLock { (hasBegun) throws(Failure) in
      if !hasBegun { try outputs.begin(continuing: run, appending: appending) }
      hasBegun = true
    }
  }

  package func endpoint(
    of server: ServerChoice, for scenario: Scenario?, _ context: Context
  ) throws(Failure) -> Endpoint {
    let script = server.environment == .emulator ? try script(for: scenario) : nil
    let key = Key(
      environment: server.environment, address: server.address, roots: server.roots,
      proxy: server.proxy, emulatesProduction: server.emulatesProduction,
      owner: script.flatMap { _ in scenario?.file })
    if let endpoint = endpoints.withLock({ $0[key] }) { return endpoint }
    var configuration = EmulatorConfiguration()
    script?.apply(to: &configuration)
    let endpoint = try Endpoint(server, context, emulator: configuration)
    return endpoints.withLock { endpoints in
      let first = endpoints[key] ?? endpoint
      endpoints[key] = first
      return first
    }
  }
}

/// Cancels all runs of a command and the pauses between them.
package final class Cancellation: Sendable {
  private struct State {
    var cancelledAt: ContinuousClock.Instant?
    var isListening = false
    /// A worker has many runs, one after the other.
    var controls: [WeakControl] = []
    var sleepers: [Wake] = []
  }

  private struct WeakControl {
    weak var control: RunControl?
    let timeoutMilliseconds: Int
    /// How to continue the run; nil before it has begun.
    var hint: ResumeHint?
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.cancelledAt != nil } }

  /// Everything was cancelled so long ago that nothing is waited for any longer but pushes in flight.
  package var isOverdue: Bool {
    state.withLock { $0.cancelledAt.map { ContinuousClock.now - $0 > .seconds(5) } ?? false }
  }

  /// Stops all runs, including those added later, and ends all pauses.
  package func cancel() {
    let (controls, sleepers) = state.withLock { state in
      state.cancelledAt = state.cancelledAt ?? .now
      return (state.controls, state.sleepers)
    }
    for control in controls { control.control?.stop(.interrupted) }
    for sleeper in sleepers { sleeper.call() }
  }

  func add(_ control: RunControl, timeoutMilliseconds: Int) {
    let isCancelled = state.withLock { state in
      state.controls.removeAll { $0.control == nil }
      state.controls.append(
        WeakControl(control: control, timeoutMilliseconds: timeoutMilliseconds))
      return state.cancelledAt != nil
    }
    if isCancelled { control.stop(.interrupted) }
  }

  /// Notes that a run has begun, and how to continue it.
  func begun(_ control: RunControl, _ hint: ResumeHint) {
    state.withLock { state in
      let index = state.controls.firstIndex { $0.control === control }
      if let index { state.controls[index].hint = hint }
    }
  }

  /// Waits for a time, or until cancelled.
  package func pause(milliseconds: Int, _ clock: RunClock) {
    guard milliseconds > 0, let wake = Wake() else { return }
    let end = clock.monotonic() + UInt64(milliseconds) * 1_000_000
    state.withLock { $0.sleepers.append(wake) }
    while !isCancelled, case let now = clock.monotonic(), now < end {
      clock.wait(wake, Int((end - now + 999_999) / 1_000_000))
    }
    state.withLock { state in state.sleepers.removeAll { $0 === wake } }
  }
}

// Signals.
extension Cancellation {
  /// Has the first signal cancel everything, and say what is waited for; the second ends the
  /// process, and says how to go on. Once is enough for all runs of a command.
  ///
  /// - Parameter length: the time after which everything is cancelled without a signal; nil for
  ///   none.
  package func listen(_ context: Context, atMost length: TimeLength? = nil) {
    if wasListening { return }
    let teller = context.teller
    let last: @Sendable () -> Void = { [self] in
      teller.endStatus()
      for line in waysOn { teller.warnAside(line) }
    }
    context.signals.take(last: last) { [self] in
      cancel()
      // Nothing may hold up the second signal.
      if let wait { teller.noteAside("Stopping: \(wait); Ctrl-C again ends at once.") }
    }
    if let length { end(after: length, context) }
  }

  /// Cancels everything after a time, unless a signal has.
  private func end(after length: TimeLength, _ context: Context) {
    Thread.start { [self] in
      pause(milliseconds: length.milliseconds, context.clock)
      if isCancelled { return }
      cancel()
      let rest = wait.map { ": \($0)" } ?? ""
      context.teller.noteAside("The time of --max-time \(length.text) is over\(rest).")
    }
  }

  /// What is waited for; nil if nothing is in flight.
  private var wait: String? {
    let runs = state.withLock { state in
      state.controls.compactMap { row in
        row.control.map { (inFlight: $0.inFlight, milliseconds: row.timeoutMilliseconds) }
      }
    }.filter { $0.inFlight > 0 }
    guard let longest = runs.map(\.milliseconds).max() else { return nil }
    let pushes = counted(runs.reduce(0) { $0 + $1.inFlight }, "push", plural: "pushes")
    return "waiting for \(pushes) in flight, at most "
      + counted((longest + 999) / 1000, "second")
  }

  /// True from the second time on.
  private var wasListening: Bool {
    state.withLock { state in
      defer { state.isListening = true }
      return state.isListening
    }
  }

  private var waysOn: [String] {
    state.withLock { $0.controls.filter { $0.control != nil }.compactMap(\.hint) }
      .compactMap { hint in
        guard let run = hint.run, let command = hint.command else { return nil }
        return "Run \(run) was ended without waiting for answers. Go on with: \(command)"
      }
  }
}
