import Foundation
import Testing

/// Runs work on a thread of its own and waits for its end, but not for ever: code that hangs fails
/// its test instead of hanging all of them.
package func within<Value: Sendable>(
  seconds: Int = 240, _ work: @escaping @Sendable () throws -> Value
) throws -> Value {
  let box = Box<Result<Value, any Error>>()
  Thread.detachNewThread { box.put(Result { try work() }) }
  return try #require(box.take(seconds: seconds), "hangs").get()
}

/// Runs work on as many threads at once and waits for all of them. Each is told its number.
package func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      work(number)
      group.leave()
    }
  }
  group.wait()
}

/// A place for one value that a thread leaves for another.
///
/// `@unchecked Sendable` because the condition guards the value.
private final class Box<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value?

  func put(_ value: Value) {
    condition.withLock { self.value = value }
    condition.broadcast()
  }

  func take(seconds: Int) -> Value? {
    let end = Date(timeIntervalSinceNow: Double(seconds))
    return condition.withLock {
      while value == nil, condition.wait(until: end) {}
      return value
    }
  }
}
