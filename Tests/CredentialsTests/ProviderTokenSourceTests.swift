import Credentials
import Foundation
import SendingSupport
import Synchronization
import Testing

@Suite("The source of provider tokens", .timeLimit(.minutes(15)))
struct ProviderTokenSourceTests {
  /// Seconds that a test moves as it likes.
  private final class Seconds: Sendable {
    private let value = Atomic<Int64>(1_700_000_000)
    var now: Int64 {
      get { value.load(ordering: .relaxed) }
      set { value.store(newValue, ordering: .relaxed) }
    }
  }

  private let seconds = Seconds()
  private let source: ProviderTokenSource

  init() throws {
    source = try ProviderTokenSource(
      key: SigningKey.generate(), keyID: KeyID("ABC123DEFG"), teamID: TeamID("DEF123GHIJ"),
      now: { [seconds] in seconds.now })
  }

  @Test("A token is used for 50 minutes and then replaced")
  func age() throws {
    let first = try source.token()
    #expect(first.issuedAt == seconds.now)
    seconds.now += 50 * 60 - 1
    #expect(try source.token() == first)
    seconds.now += 1
    let second = try source.token()
    #expect(second.issuedAt == first.issuedAt + 50 * 60)
    #expect(try source.token() == second)
  }

  @Test("An expired token of 20 minutes is replaced, once for all who saw it refused")
  func expired() throws {
    let first = try source.token()
    seconds.now += 20 * 60
    let second = try source.token(after: first)
    #expect(second != first)
    #expect(try source.token(after: first) == second)
    #expect(try source.token() == second)
  }

  @Test(
    "A token younger than 20 minutes is kept, whatever the server says", arguments: [0, 1, 1199])
  func tooYoung(_ age: Int64) throws {
    let first = try source.token()
    seconds.now += age
    #expect(!source.replaces(first))
    #expect(try source.token(after: first) == first)
    #expect(try source.token() == first)
  }

  @Test("A token that is old, from the future, or replaced already can be replaced")
  func replaceable() throws {
    let first = try source.token()
    seconds.now += 20 * 60
    #expect(source.replaces(first))
    seconds.now -= 20 * 60 + 1
    #expect(source.replaces(first))
    seconds.now += 50 * 60 + 1
    let second = try source.token()
    #expect(source.replaces(first) && !source.replaces(second))
  }

  @Test("A token from the future is replaced, for the clock was wrong when it was made")
  func clockSetBack() throws {
    _ = try source.token()
    seconds.now -= 3600
    let second = try source.token()
    #expect(second.issuedAt == seconds.now)
    #expect(try source.token() == second)
  }

  @Test("A clock that is set back a little does not cost a token")
  func clockTrembles() throws {
    let first = try source.token()
    seconds.now -= 60
    #expect(try source.token() == first)
  }

  @Test("Threads that ask at once get one token")
  func manyThreads() throws {
    let seen = Mutex<Set<ProviderToken>>([])
    for _ in 0..<3 {
      onThreads(32) { [source] _ in
        guard let token = try? source.token() else { return }
        seen.withLock { _ = $0.insert(token) }
      }
      seconds.now += 50 * 60
    }
    #expect(seen.withLock { $0.count } == 3)
  }
}
