import APNS
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Iterations of results", .timeLimit(.minutes(15)))
struct IterationTests {
  @Test("A copy of an iterator is an error, before and after the results are there")
  func copies() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    var first = client.send(try sample(), to: try deviceTokens(1..<11)).makeAsyncIterator()
    var second = first
    #expect(try await first.next()?.outcome == .accepted)
    await #expect(throws: SendResults.IterationError.self) { try await second.next() }
    var third = first
    #expect(try await third.next()?.outcome == .accepted)
    await #expect(throws: SendResults.IterationError.self) { try await first.next() }
    await client.close()
  }

  @Test("A copy that is asked while the other waits does not wait for ever")
  func waiting() async throws {
    let server = try TestServer { _ in .swallow }
    let client = try client(of: server)
    let results = client.send(try sample(), to: try deviceTokens(1..<2))
    let errors = await Waiters(results.makeAsyncIterator()).errors()
    #expect(errors == 1)
  }

  /// Two tasks on one actor, with a copy each.
  private actor Waiters {
    private let iterator: SendResults.AsyncIterator

    init(_ iterator: sending SendResults.AsyncIterator) { self.iterator = iterator }

    func errors() async -> Int {
      let first = Task { await self.isError() }
      let second = Task { await self.isError() }
      let isFirst = await withTaskGroup(of: (Bool, Bool).self) { group in
        group.addTask { (await first.value, true) }
        group.addTask { (await second.value, false) }
        let (isError, isFirst) = await group.next() ?? (false, false)
        #expect(isError)
        (isFirst ? second : first).cancel()
        await group.waitForAll()
        return isFirst
      }
      let last = isFirst ? await second.value : await first.value
      return 1 + (last ? 1 : 0)
    }

    private func isError() async -> Bool {
      var copy = iterator
      do { _ = try await copy.next(isolation: self) } catch {
        return error is SendResults.IterationError
      }
      return false
    }
  }

  @Test("Results that were made are iterated as those of a client, and as often as one likes")
  func made() async throws {
    let results = SendResults([SendResult(.accepted), SendResult(.deferred, at: 1)])
    for _ in 1...2 {
      #expect(try await results.byPosition().mapValues(\.outcome) == [0: .accepted, 1: .deferred])
    }
  }
}
