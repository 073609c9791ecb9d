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
    /// Those that ended and were not told of yet.
    var untold: [ScenarioReport] = []
  }

  private let scenarios: [PreparedScenario]
  private let common: ScenarioMeans
  private let state: Mutex<State>

  init(_ scenarios: [PreparedScenario], _ common: ScenarioMeans) {
    self.scenarios = scenarios
    self.common = common
    state = Mutex(State(reports: Array(repeating: nil, count: scenarios.count)))
  }

  /// - Parameters:
  ///   - count: how many at once.
  ///   - tell: is given each report as it comes, on the caller's thread.
  /// - Returns: the reports in the order of the scenarios.
  func perform(atOnce count: Int, tell: (ScenarioReport) -> Void) -> [ScenarioReport] {
    let done = Wake()
    let threads = done == nil ? 0 : min(count, scenarios.count)
    let started = (0..<threads).count { _ in Thread.start { self.work(done) } }
    if started == 0 { work(nil) }
    while !tellEnded(tell) { done?.wait(milliseconds: nil) }
    return state.withLock { $0.reports.compactMap(\.self) }
  }

  private func work(_ done: Wake?) {
    while let index = takeNext() {
      let report = ScenarioRun(prepared: scenarios[index], common: common).perform { _ in }
      state.withLock { state in
        state.reports[index] = report
        state.untold.append(report)
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

  /// Hands out what has ended.
  ///
  /// - Returns: whether that was all.
  private func tellEnded(_ tell: (ScenarioReport) -> Void) -> Bool {
    let (ended, isAll) = state.withLock { state in
      defer { state.untold = [] }
      return (state.untold, state.reports.allSatisfy { $0 != nil })
    }
    ended.forEach(tell)
    return isAll
  }
}
