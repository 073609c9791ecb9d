internal import Delivery
internal import HTTP2
internal import POSIX
internal import Reporting
internal import Runs
internal import Settings
internal import Synchronization

/// Runs the steps of one scenario in order, up to the first that fails.
struct ScenarioRun {
  private let prepared: PreparedScenario
  private let common: ScenarioResources
  private let channel: TemporaryChannel?

  init(_ prepared: PreparedScenario, _ common: ScenarioResources) {
    (self.prepared, self.common) = (prepared, common)
    channel = prepared.channel.map { TemporaryChannel($0, of: prepared.scenario, common) }
  }

  /// - Parameter tell: called with each step as it ends or is skipped.
  func perform(tell: (StepReport) -> Void) -> ScenarioReport {
    let start = common.context.clock.monotonic()
    var report = ScenarioReport(scenario: prepared.scenario)
    for step in prepared.steps {
      let ended = self.report(of: step, after: report.steps)
      report.steps.append(ended)
      tell(ended)
    }
    if let left = channel?.delete() {
      report.steps.append(StepReport(leftBy: prepared.scenario, left))
      tell(report.steps[report.steps.count - 1])
    }
    report.seconds = common.context.clock.seconds(since: start)
    return report
  }

  private func report(
    of prepared: PreparedStep, after earlier: [StepReport]
  ) -> StepReport {
    let step = prepared.step.step
    if let failed = earlier.first(where: { !$0.isPassed }) {
      return notRun(step, failed.verdictOfRest)
    }
    pause(before: step)
    if common.resources.cancellation.isCancelled { return notRun(step, .interrupted) }
    let start = common.context.clock.monotonic()
    var report = send(prepared)
    report.seconds = common.context.clock.seconds(since: start)
    return report
  }

  /// Waits before a step, with a notice on a terminal.
  private func pause(before step: ScenarioStep) {
    let teller = common.context.teller
    let isShown =
      common.resources.showsProgress && teller.level != .quiet && !common.options.progress.isOff
    if isShown, step.pauseMilliseconds >= 1000, let width = teller.statusWidth {
      teller.showStatus(step.waitText(width: width))
    }
    common.resources.cancellation.pause(milliseconds: step.pauseMilliseconds, common.context.clock)
    teller.showStatus(nil)
  }

  private func notRun(_ step: ScenarioStep, _ verdict: StepReport.Verdict) -> StepReport {
    StepReport(
      scenario: prepared.scenario, step: step, verdict: verdict,
      exitCode: common.context.signals.received
        ?? (common.resources.cancellation.isCancelled ? .unfinished : .success))
  }

  private func send(_ prepared: PreparedStep) -> StepReport {
    let step = prepared.step.step
    do throws(Failure) {
      try channel?.create()
      let finished = try prepared.step.run(prepared.plan, channel?.id)
      let (run, loss) = prepared.step.report(of: finished)
      return loss.map { broken(step, $0, run) } ?? judge(step, run)
    } catch {
      return broken(step, error, nil)
    }
  }

  private func broken(_ step: ScenarioStep, _ failure: Failure, _ run: StepRun?) -> StepReport {
    // The code for "nothing was sent" would be wrong for the whole command.
    let code = failure.exitCode == .usage ? .failure : failure.exitCode
    return StepReport(
      scenario: prepared.scenario, step: step, verdict: .broken(failure), run: run, exitCode: code)
  }

  /// Judges a step by its expectation; unless that is about answers, every push must be accepted.
  private func judge(_ step: ScenarioStep, _ run: StepRun) -> StepReport {
    let misses = step.expectation?.misses(in: run.report.summary) ?? []
    let (fromRun, signal) = (run.report.exitCode, common.context.signals.received)
    let isCut = run.report.stopCause == .interrupted && fromRun == .unfinished
    let isFree = misses.isEmpty && !step.wantsAcceptance && !isCut
    let code =
      signal ?? (isFree ? .success : .merged([fromRun, misses.isEmpty ? .success : .failure]))
    return StepReport(
      scenario: prepared.scenario, step: step,
      verdict: code == .success ? .passed : .failed(misses), run: run, exitCode: code)
  }
}

extension RunClock {
  /// The time since a moment, in seconds.
  fileprivate func seconds(since start: UInt64) -> Double {
    Double(monotonic() - start) / 1_000_000_000
  }
}

/// Runs scenarios concurrently. They begin in order; each has its own thread, so that its waits do
/// not delay the others.
final class ScenarioQueue: Sendable {
  private struct State {
    var next = 0
    /// By the scenario's index; nil until it has ended.
    var reports: [ScenarioReport?]
  }

  private let scenarios: [PreparedScenario]
  private let common: ScenarioResources
  private let teller: ScenarioTeller
  private let state: Mutex<State>
  /// Held while a scenario is printed, to keep its steps together.
  private let printing = Mutex(())

  init(_ scenarios: [PreparedScenario], _ common: ScenarioResources, _ teller: ScenarioTeller) {
    (self.scenarios, self.common, self.teller) = (scenarios, common, teller)
    state = Mutex(State(reports: Array(repeating: nil, count: scenarios.count)))
  }

  /// - Returns: the reports, in the order of the scenarios.
  func perform(atOnce count: Int) -> [ScenarioReport] {
    let done = Wake()
    let threads = done == nil ? 0 : min(count, scenarios.count)
    let started = (0..<threads).count { _ in Thread.start { self.work(done) } }
    if started == 0 { work(nil) }
    while true {
      let ended = state.withLock { $0.reports.compactMap(\.self) }
      if ended.count == scenarios.count { return ended }
      done?.wait(milliseconds: nil)
    }
  }

  private func work(_ done: Wake?) {
    while let index = takeNext() {
      let report = ScenarioRun(scenarios[index], common).perform { _ in }
      printing.withLock { _ in teller.tell(report) }
      state.withLock { $0.reports[index] = report }
      done?.call()
    }
  }

  private func takeNext() -> Int? {
    state.withLock { state in
      defer { state.next += 1 }
      return state.next < scenarios.count ? state.next : nil
    }
  }
}
