import Foundation
import SendingSupport
import Synchronization
import Testing

@testable import Delivery
@testable import HTTP2

@Suite("The queue between threads", .timeLimit(.minutes(15)))
struct ChunkQueueTests {
  private func wake() throws -> Wake { try #require(Wake()) }

  private func wasCalled(_ wake: Wake) -> Bool {
    var waiting = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    defer { wake.clear() }
    return poll(&waiting, 1, 0) == 1
  }

  private func element(_ taken: ChunkQueue<Int>.Taken) -> Int? {
    if case .element(let number) = taken { number } else { nil }
  }

  @Test("What waits is counted by its size")
  func filling() throws {
    let queue = ChunkQueue<Int>(capacity: 2)
    let wake = try wake()
    #expect(queue.put(5, wake: wake) && queue.filling { $0 } == (5, false))
    #expect(queue.put(7, wake: wake) && queue.filling { $0 } == (12, true))
  }

  @Test("What was taken can be put back until somebody was told that nothing more comes")
  func putBack() throws {
    let queue = ChunkQueue<Int>(capacity: 1)
    let wake = try wake()
    #expect(queue.put(5, wake: wake))
    queue.producerDone()
    #expect(element(queue.take(orWake: wake)) == 5 && queue.putBack(5))
    #expect(element(queue.take(orWake: wake)) == 5)
    guard case .finished = queue.take(orWake: wake) else {
      Issue.record("the queue goes on")
      return
    }
    #expect(!queue.putBack(5))
  }

  @Test("What two producers put, two consumers take, each element once and in each one's order")
  func manyThreads() throws {
    let queue = ChunkQueue<Int>(capacity: 3, producers: 2)
    let taken = try within {
      let taken = Mutex<[[Int]]>([[], []])
      onThreads(4) { role in
        guard let wake = Wake() else { return }
        if role < 2 {
          for number in 0..<20_000 { _ = queue.put(role * 20_000 + number, wake: wake) }
          queue.producerDone()
        } else {
          var mine: [Int] = []
          while let number = queue.take(waitingOn: wake) { mine.append(number) }
          taken.withLock { $0[role - 2] = mine }
        }
      }
      return taken.withLock { $0 }
    }
    #expect(taken.joined().sorted() == Array(0..<40_000))
    for numbers in taken {
      for half in [numbers.filter { $0 < 20_000 }, numbers.filter { $0 >= 20_000 }] {
        #expect(half == half.sorted())
      }
    }
  }

  @Test("A full queue makes its producer wait until something is taken")
  func bound() throws {
    let queue = ChunkQueue<Int>(capacity: 2)
    let most = try within {
      let depth = Atomic(0)
      let most = Atomic(0)
      onThreads(2) { role in
        guard let wake = Wake() else { return }
        if role == 0 {
          for number in 0..<5000 {
            let isPut = queue.put(number, wake: wake) {
              most.max(depth.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            }
            if !isPut { return }
          }
          queue.producerDone()
        } else {
          while queue.take(waitingOn: wake) != nil { depth.subtract(1, ordering: .relaxed) }
        }
      }
      return most.load(ordering: .relaxed)
    }
    // The consumer counts after it has taken: one more may seem to be inside.
    #expect(1...3 ~= most)
  }

  @Test("All who wait are woken by an element, for the first may be busy elsewhere")
  func everybodyIsWoken() throws {
    let queue = ChunkQueue<Int>(capacity: 2)
    let (first, second) = (try wake(), try wake())
    #expect(element(queue.take(orWake: first)) == nil)
    #expect(element(queue.take(orWake: second)) == nil)
    #expect(queue.put(7, wake: try wake()))
    #expect(wasCalled(first) && wasCalled(second))
    #expect(element(queue.take(orWake: second)) == 7)
  }

  @Test("The end wakes everybody, and what is inside can still be taken")
  func end() throws {
    let queue = ChunkQueue<Int>(capacity: 2, producers: 2)
    let (putting, taking) = (try wake(), try wake())
    _ = queue.put(1, wake: putting)
    queue.producerDone()
    #expect(queue.put(2, wake: putting))
    #expect(element(queue.take(orWake: taking)) == 1)
    #expect(element(queue.take(orWake: taking)) == 2)
    #expect(element(queue.take(orWake: taking)) == nil)
    #expect(!wasCalled(taking))
    queue.producerDone()
    #expect(wasCalled(taking))
    guard case .finished = queue.take(orWake: taking) else { return #expect(Bool(false)) }
  }

  @Test("Closing lets a waiting producer go, and its element is not taken")
  func closing() throws {
    let queue = ChunkQueue<Int>(capacity: 1)
    let putting = try wake()
    #expect(queue.put(1, wake: putting))
    let isPut = try within {
      let isPut = Atomic(true)
      onThreads(2) { role in
        if role == 0 {
          isPut.store(queue.put(2, wake: putting), ordering: .relaxed)
        } else {
          queue.close()
        }
      }
      return isPut.load(ordering: .relaxed)
    }
    #expect(!isPut)
    let taking = try wake()
    #expect(queue.take(waitingOn: taking) == 1)
    #expect(queue.take(waitingOn: taking) == nil)
  }

  @Test("What is to be done with an element is done before anybody can take it")
  func commit() throws {
    let queue = ChunkQueue<Int>(capacity: 1)
    let wakes = [try wake(), try wake()]
    let isEarly = try within {
      let committed = Atomic(0)
      let isEarly = Atomic(true)
      onThreads(2) { role in
        if role == 0 {
          for number in 1...5000 {
            _ = queue.put(number, wake: wakes[0]) { committed.store(number, ordering: .relaxed) }
          }
          queue.producerDone()
        } else {
          while let number = queue.take(waitingOn: wakes[1]) {
            if committed.load(ordering: .relaxed) < number {
              isEarly.store(false, ordering: .relaxed)
            }
          }
        }
      }
      return isEarly.load(ordering: .relaxed)
    }
    #expect(isEarly)
  }
}
