internal import Delivery
internal import HTTP2
internal import PushModel
internal import Recipients
internal import Reporting
internal import Settings

/// A run after its last push, before it is closed in the history.
package struct FinishedRun {
  package let run: OpenRun
  let report: Run.Report
  /// The environments tried, with this one; nil when the server was certain.
  let search: EnvironmentSearch?
}

extension OpenRun {
  /// Sends to all recipients, and writes the results as they arrive.
  ///
  /// - Parameter search: the environments tried before; nil when the server is certain.
  func perform(
    _ recipients: consuming sending some PushSource & ~Copyable, _ search: EnvironmentSearch? = nil
  ) -> FinishedRun {
    let delivery = Run(
      requests, credentials: credentials.push, control: control, clock: plan.context.clock,
      identity: identity, early: early, links: links)
    // Commit first: a results file is final, but after a kill uncommitted pushes are sent again.
    let report = delivery.perform(
      recipients, ledger: recorded.ledger, commitsRest: outputs.hasFiles
    ) { batch, summary in
      outputs.write(
        batch, summary, identity, inFlight: control.inFlight,
        pause: control.pauseSeconds(now: plan.context.clock.monotonic()))
    }
    outputs.end()
    return FinishedRun(
      run: self, report: report, search: search?.adding(report, server.environment))
  }
}

extension RunControl {
  /// The seconds for which sending is paused; nil when it is not.
  fileprivate func pauseSeconds(now: UInt64) -> Int? {
    heldUntil(now: now).map { Int(($0 - now + 999_999_999) / 1_000_000_000) }
  }
}
