import COpenSSL
import Dispatch
import Foundation
import Testing

@Suite("The end of a process", .timeLimit(.minutes(15)))
struct ProcessEndTests {
  private static let atWork = DispatchSemaphore(value: 0)

  @Test("does not free what threads still use in OpenSSL")
  func threadsAtWork() async {
    await #expect(processExitsWith: .success) {
      // What is registered first runs last: behind all that a library does at exit.
      atexit { for _ in 0..<1000 { ProcessEndTests.atWork.wait() } }
      for _ in 0..<4 {
        Thread.detachNewThread {
          while true {
            guard let context = SSL_CTX_new(TLS_client_method()) else { abort() }
            SSL_CTX_free(context)
            Self.atWork.signal()
          }
        }
      }
      for _ in 0..<100 { Self.atWork.wait() }
      exit(0)
    }
  }
}
