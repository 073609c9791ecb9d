internal import HTTP2
internal import POSIX
internal import Synchronization

/// Runs scenarios, several at once. They begin in order; each has a thread, on which it waits
/// without keeping others waiting.
final class ScenarioQueue: Sendable {
  private struct State {
    var next = 0
    /// By the place of the scenario; nil while it is not at its end.
    var reports: [ScenarioReport?]
  }

  private let scenarios: [PreparedScenario]
  private let common: ScenarioMeans
  private let teller: ScenarioTeller
  private let state: Mutex<State>

  init(_ scenarios: [PreparedScenario], _ common: ScenarioMeans, _ teller: ScenarioTeller) {
    (self.scenarios, self.common, self.teller) = (scenarios, common, teller)
    state = Mutex(State(reports: Array(repeating: nil, count: scenarios.count)))
  }

  /// - Returns: the reports in the order of the scenarios.
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
      let report = ScenarioRun(prepared: scenarios[index], common: common).perform { _ in }
      // The steps of one scenario are told together.
      state.withLock { state in
        state.reports[index] = report
        teller.tell(report)
      }
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
