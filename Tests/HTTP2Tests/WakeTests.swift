import Foundation
import HTTP2
import Testing

@Suite("A wake", .timeLimit(.minutes(15)))
struct WakeTests {
  @Test("called before the wait ends it")
  func before() throws {
    let (listener, wake) = (try Listener(), try #require(Wake()))
    wake.call()
    #expect(try listener.isWoken(by: wake))
  }

  @Test("called from another thread ends a wait")
  func during() throws {
    let (listener, wake) = (try Listener(), try #require(Wake()))
    Thread.detachNewThread { wake.call() }
    #expect(try listener.isWoken(by: wake))
  }

  @Test("called any number of times never blocks, and is cleared as one")
  func manyCalls() throws {
    let (listener, wake) = (try Listener(), try #require(Wake()))
    for _ in 0..<100_000 { wake.call() }
    #expect(try listener.isWoken(by: wake))
    wake.clear()
    let client = try #require(PlainSocket(port: listener.port))
    #expect(try !listener.isWoken(by: wake))
    client.close()
  }
}

extension Listener {
  /// Whether the wake was called before a client came.
  fileprivate func isWoken(by wake: Wake) throws -> Bool {
    switch try accept(wake: wake) {
    case .none: true
    case .some: false
    }
  }
}
