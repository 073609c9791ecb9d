internal import Delivery
internal import HTTP2
internal import Projects

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
    pause(before: step)
    if setting.common.stops.isStopped { return notRun(step, .interrupted) }
    let start = setting.context.clock.monotonic()
    var report = send(step, prepared)
    report.seconds = setting.context.clock.seconds(since: start)
    return report
  }

  /// Waits, and says so where somebody looks at a terminal.
  private func pause(before step: ScenarioStep) {
    let errors = setting.context.errors
    let isShown = setting.common.tellsProgress && !setting.options.telling.quiet
    if isShown, step.pauseMilliseconds >= 1000 {
      errors.showBottom(WaitText(step: step).text(errors.width - 1))
    }
    setting.common.stops.pause(milliseconds: step.pauseMilliseconds, setting.context.clock)
    errors.showBottom(nil)
  }

  private func notRun(_ step: ScenarioStep, _ obstacle: StepReport.Obstacle) -> StepReport {
    StepReport(
      step: step, verdict: .notRun(obstacle), exitCode: setting.context.signals.received ?? .success
    )
  }

  private func send(_ step: ScenarioStep, _ prepared: PreparedSending) -> StepReport {
    do throws(Failure) {
      let sending = try setting.sending(step, of: self.prepared.scenario)
      return settle(try sending.send(prepared), of: sending, step)
    } catch {
      return broken(step, error, nil)
    }
  }

  private func settle(_ sent: Sent, of sending: Sending, _ step: ScenarioStep) -> StepReport {
    var loss: Failure?
    do throws(Failure) { try sending.settle(sent) } catch { loss = error }
    // How to go on with what is left is known once the run is closed.
    let run = StepRun(
      report: sent.report, summary: sending.summary(of: sent),
      text: sending.text(of: sent, Style(hasColor: false)),
      coloredText: sending.text(of: sent, Style(hasColor: setting.context.output.hasColor)),
      wayOn: sending.wayOn(sent.delivery).command, skipped: sent.delivery.skippedRows)
    return loss.map { broken(step, $0, run) } ?? judge(step, run)
  }

  private func broken(_ step: ScenarioStep, _ failure: Failure, _ run: StepRun?) -> StepReport {
    // "Nothing was sent" would not be true of the command.
    let code = failure.exitCode == .usage ? .failure : failure.exitCode
    return StepReport(step: step, verdict: .broken(failure), run: run, exitCode: code)
  }

  /// An expectation decides; where it says nothing of answers, everything has to be accepted.
  private func judge(_ step: ScenarioStep, _ run: StepRun) -> StepReport {
    let report = run.report
    let signal = setting.context.signals.received
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
