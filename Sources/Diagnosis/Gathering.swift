internal import HTTP2
internal import POSIX
internal import Synchronization

/// The results of work that runs concurrently, each on its own thread.
private final class Gathering<Value: Sendable>: Sendable {
  let wake: Wake
  private let values: Mutex<[Value?]>

  init(_ count: Int, wake: Wake) {
    self.wake = wake
    values = Mutex(Array(repeating: nil, count: count))
  }

  var all: [Value?] { values.withLock { $0 } }

  func add(_ value: Value, at index: Int) {
    values.withLock { $0[index] = value }
    wake.call()
  }
}

/// Does uninterruptible work for all inputs concurrently, and waits up to a limit.
///
/// - Returns: the results that arrived in time, in the order of the inputs; nil for the rest, whose
///   threads end when the system call returns.
func gather<Input: Sendable, Value: Sendable>(
  _ inputs: [Input], milliseconds: Int, _ work: @escaping @Sendable (Input) -> Value
) -> [Value?] {
  guard let wake = Wake() else { return inputs.map { _ in nil } }
  let gathering = Gathering<Value>(inputs.count, wake: wake)
  for (index, input) in inputs.enumerated() {
    Thread.start { gathering.add(work(input), at: index) }
  }
  let clock = ContinuousClock()
  let end = clock.now + .milliseconds(milliseconds)
  while gathering.all.contains(where: { $0 == nil }), case let left = end - clock.now,
    left > .zero
  {
    wake.wait(milliseconds: Int(left / .milliseconds(1)) + 1)
  }
  return gathering.all
}
