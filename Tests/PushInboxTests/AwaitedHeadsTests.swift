import Testing

@testable import PushInbox
@testable import WebServer

@Suite("The heads that an inbox waits for")
struct AwaitedHeadsTests {
  @Test("have so much time each, from the connection's start or its last answer")
  func time() {
    var heads = AwaitedHeads(most: 10, patience: 10_000)
    #expect(heads.deadline == nil)
    #expect(heads.add(1, at: 0) == nil && heads.add(2, at: 4000) == nil)
    #expect(heads.deadline == 10_000 && heads.takeOverdue(at: 9999).isEmpty)
    #expect(heads.takeOverdue(at: 10_000) == [1] && heads.takeOverdue(at: 10_000).isEmpty)
    heads.remove(2, isKnown: true)
    #expect(heads.deadline == nil && heads.takeOverdue(at: 99_000).isEmpty)
    #expect(heads.add(2, at: 50_000) == nil && heads.deadline == 60_000)
    heads.forget(2)
    #expect(heads.takeOverdue(at: 99_000).isEmpty)
  }

  @Test("give way to a new one: the oldest of those that never showed the key first")
  func room() {
    var heads = AwaitedHeads(most: 2, patience: 10_000)
    _ = heads.add(1, at: 0)
    heads.remove(1, isKnown: true)
    #expect(heads.add(1, at: 1) == nil && heads.add(2, at: 2) == nil)
    #expect(heads.add(3, at: 3) == 2)
    #expect(heads.add(4, at: 4) == 3)
    heads.remove(4, isKnown: true)
    #expect(heads.add(4, at: 5) == nil)
    #expect(heads.add(5, at: 6) == 1)
  }

  @Test("of a socket that is used again are not known")
  func reuse() {
    var heads = AwaitedHeads(most: 1, patience: 10_000)
    _ = heads.add(1, at: 0)
    heads.remove(1, isKnown: true)
    heads.forget(1)
    #expect(heads.add(1, at: 1) == nil && heads.add(2, at: 2) == 1)
  }
}
