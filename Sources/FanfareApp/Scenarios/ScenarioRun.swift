internal import Delivery
internal import HTTP2
internal import Projects

/// Runs the steps of one scenario, one after the other. One that fails is the last.
struct ScenarioRun {
  let prepared: PreparedScenario
  let common: ScenarioMeans

  /// Runs them.
  ///
  /// - Parameter tell: is given each step as it ends, or is found not to be run.
  func perform(tell: (StepReport) -> Void) -> ScenarioReport {
    let start = common.context.clock.monotonic()
    var report = ScenarioReport(scenario: prepared.scenario)
    for step in prepared.steps {
      report.steps.append(self.report(of: step, after: report.steps))
      report.steps.last.map(tell)
    }
    report.seconds = common.context.clock.seconds(since: start)
    return report
  }

  private func report(
    of prepared: PreparedStep, after earlier: [StepReport]
  ) -> StepReport {
    let step = prepared.step
    if let failed = earlier.first(where: { !$0.verdict.isPassed }) {
      return notRun(step, failed.obstacle)
    }
    pause(before: step)
    if common.means.cancellation.isCancelled { return notRun(step, .interrupted) }
    let start = common.context.clock.monotonic()
    var report = send(prepared)
    report.seconds = common.context.clock.seconds(since: start)
    return report
  }

  /// Waits, and says so where somebody looks at a terminal.
  private func pause(before step: ScenarioStep) {
    let errors = common.context.errors
    let isShown = common.means.showsProgress && !common.options.quiet.isOn
    if isShown, step.pauseMilliseconds >= 1000 {
      errors.showBottom(WaitText(step: step).text(errors.width - 1))
    }
    common.means.cancellation.pause(milliseconds: step.pauseMilliseconds, common.context.clock)
    errors.showBottom(nil)
  }

  private func notRun(_ step: ScenarioStep, _ obstacle: StepReport.Obstacle) -> StepReport {
    StepReport(
      step: step, verdict: .notRun(obstacle), exitCode: common.context.signals.received ?? .success
    )
  }

  private func send(_ prepared: PreparedStep) -> StepReport {
    do throws(Failure) {
      let step = try RunStep(prepared.step, of: self.prepared.scenario, common)
      let (run, loss) = step.report(of: try step.run(prepared))
      return loss.map { broken(prepared.step, $0, run) } ?? judge(prepared.step, run)
    } catch {
      return broken(prepared.step, error, nil)
    }
  }

  private func broken(_ step: ScenarioStep, _ failure: Failure, _ run: StepRun?) -> StepReport {
    // "Nothing was sent" would not be true of the command.
    let code = failure.exitCode == .usage ? .failure : failure.exitCode
    return StepReport(step: step, verdict: .broken(failure), run: run, exitCode: code)
  }

  /// An expectation decides; where it says nothing of answers, everything has to be accepted.
  private func judge(_ step: ScenarioStep, _ run: StepRun) -> StepReport {
    let report = run.report
    let signal = common.context.signals.received
    let misses = step.expectation?.misses(in: report.summary) ?? []
    let isFree = step.expectation.map { !$0.wantsAcceptance } ?? false
    var code: ExitCode = isFree && misses.isEmpty ? .success : report.exitCode
    if !misses.isEmpty { code = .merged([.failure, code]) }
    code = signal ?? code
    return StepReport(
      step: step, verdict: code == .success ? .passed : .failed(misses), run: run, exitCode: code)
  }
}

extension StepReport {
  /// What keeps the steps behind it from being run.
  fileprivate var obstacle: Obstacle {
    switch verdict {
    case .notRun(let obstacle): obstacle
    case .passed, .failed, .broken:
      [.interrupted, .terminated].contains(exitCode) ? .interrupted : .step(step.number)
    }
  }
}

extension RunClock {
  /// How long ago a moment was, in seconds.
  fileprivate func seconds(since start: UInt64) -> Double {
    Double(monotonic() - start) / 1_000_000_000
  }
}
