internal import PushCore

/// Runs the steps of one scenario, one after the other. One that fails is the last.
struct ScenarioRun {
  let prepared: PreparedScenario
  let setting: ScenarioSetting

  /// Runs them.
  ///
  /// - Parameter tell: is given each step as it ends, or is found not to be run.
  func perform(tell: (StepReport) -> Void) -> ScenarioReport {
    let start = setting.context.clock.monotonic()
    var report = ScenarioReport(scenario: prepared.scenario)
    for (step, sending) in prepared.steps {
      report.steps.append(self.report(of: step, sending, after: report.steps))
      report.steps.last.map(tell)
    }
    report.seconds = setting.context.clock.seconds(since: start)
    return report
  }

  private func report(
    of step: ScenarioStep, _ prepared: PreparedSending, after earlier: [StepReport]
  ) -> StepReport {
    if let failed = earlier.first(where: { !$0.verdict.isPassed }) {
      return notRun(step, failed.obstacle)
    }
    setting.common.stops.pause(milliseconds: step.pauseMilliseconds, setting.context.clock)
    if setting.common.stops.isStopped { return notRun(step, .interrupted) }
    let start = setting.context.clock.monotonic()
    var report = send(step, prepared)
    report.seconds = setting.context.clock.seconds(since: start)
    return report
  }

  private func notRun(_ step: ScenarioStep, _ obstacle: StepReport.Obstacle) -> StepReport {
    StepReport(
      step: step, verdict: .notRun(obstacle), exitCode: setting.context.signals.received ?? .success
    )
  }

  private func send(_ step: ScenarioStep, _ prepared: PreparedSending) -> StepReport {
    var run: StepRun?
    do throws(Failure) {
      let sending = try setting.sending(step, of: self.prepared.scenario)
      let sent = try sending.send(prepared)
      run = StepRun(
        report: sent.report, summary: sending.summary(of: sent), text: sending.text(of: sent))
      try sending.settle(sent)
      return judge(step, sent.report, run)
    } catch {
      // "Nothing was sent" would not be true of the command.
      let code = error.exitCode == .usage ? .failure : error.exitCode
      return StepReport(step: step, verdict: .broken(error), run: run, exitCode: code)
    }
  }

  /// An expectation decides; without one everything has to be accepted.
  private func judge(_ step: ScenarioStep, _ report: Run.Report, _ run: StepRun?) -> StepReport {
    let signal = setting.context.signals.received
    guard let expectation = step.expectation else {
      let code = signal ?? report.exitCode
      return StepReport(
        step: step, verdict: code == .success ? .passed : .failed([]), run: run, exitCode: code)
    }
    let misses = expectation.misses(in: report.summary)
    let code = misses.isEmpty ? .success : ExitCode.merged([.failure, report.exitCode])
    return StepReport(
      step: step, verdict: misses.isEmpty && signal == nil ? .passed : .failed(misses), run: run,
      exitCode: signal ?? code)
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
