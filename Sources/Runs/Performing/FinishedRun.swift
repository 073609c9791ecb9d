internal import Delivery
internal import HTTP2
internal import PushModel
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
      recipients, ledger: recorded.ledger, commitsRest: outputs.hasFiles, tick: outputs.tick
    ) { batch, summary in
      let standing = RunStanding(control, now: plan.context.clock.monotonic())
      outputs.write(batch, summary, identity, standing)
    }
    outputs.end()
    return FinishedRun(
      run: self, report: report, search: search?.adding(report, server.environment))
  }
}
