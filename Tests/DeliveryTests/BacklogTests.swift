import APNS
import PushModel
import Recipients
import SendingSupport
import Testing

@testable import Delivery

@Suite("The backlog of a connection")
struct BacklogTests {
  private func chunk(_ count: Int) throws -> PushChunk {
    var reader = try RecipientReader([.tokens(deviceTokens(count))])
    let chunk = try reader.next()
    return try #require(chunk)
  }

  @Test("A chunk is taken in order, and what comes again before it")
  func order() throws {
    var backlog = Backlog()
    #expect(backlog.isEmpty && backlog.take() == nil)
    backlog.add(try chunk(3))
    let taken = backlog.take()
    let first = try #require(taken)
    #expect(first.push.sequence == 1)
    backlog.add(again: first)
    #expect(
      [1, 2, 3] == [backlog.take(), backlog.take(), backlog.take()].map { $0?.push.sequence })
    #expect(backlog.isEmpty && backlog.take() == nil)
  }

  @Test("Pushes that wait come when they are due, the earliest first, and count as left")
  func waiting() throws {
    var backlog = Backlog()
    backlog.add(try chunk(40))
    var dues = (0..<40).map { UInt64($0 * 7919 % 41) }
    for due in dues {
      let taken = backlog.take()
      let push = try #require(taken)
      let isKept = backlog.add(push, dueAt: due)
      #expect(isKept)
    }
    #expect(!backlog.isReady && !backlog.isEmpty)
    dues.sort()
    for (index, due) in dues.enumerated() {
      #expect(backlog.nextDue == due)
      backlog.wakeUp(now: due)
      #expect(backlog.isReady)
      let woken = backlog.take()
      #expect(woken != nil)
      #expect(!backlog.isReady && backlog.isEmpty == (index == 39))
    }
  }

  @Test("It is not empty while only one kind is left")
  func emptiness() throws {
    var backlog = Backlog()
    backlog.add(try chunk(1))
    #expect(!backlog.isEmpty)
    let taken = backlog.take()
    let push = try #require(taken)
    #expect(backlog.isEmpty)
    backlog.add(again: push)
    #expect(!backlog.isEmpty)
  }
}
