import APNS
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Cancellation of lists", .timeLimit(.minutes(5)))
struct CancellationTests {
  @Test("Cancelled at any step, each push has one outcome, and only those sent may have arrived")
  func anyStep() async throws {
    for step in stride(from: 1, through: 2000, by: 333) {
      let arrived = Signal()
      let server = try TestServer { push in
        if push.push.number == step { arrived.call() }
        return nil
      }
      let client = try client(of: server)
      let results = await results(of: client, after: arrived, try deviceTokens(1..<3001))
      await client.close()
      #expect(Set(results.map(\.position)).count == results.count)
      for result in results {
        let number = try #require(result.token).number
        switch result.outcome {
        case .accepted: #expect(server.processed[tokenText(number)] == 1)
        case .notAttempted: #expect(server.ids(of: number).isEmpty)
        default: #expect(result.outcome == .unknown)
        }
      }
    }
  }

  private func results(
    of client: PushClient, after signal: Signal, _ tokens: [DeviceToken]
  ) async -> [SendResult] {
    let task = Task {
      var results: [SendResult] = []
      do {
        for try await result in client.send(try sample(), to: tokens) { results.append(result) }
      } catch {
        #expect(error is CancellationError)
      }
      return results
    }
    await signal.wait()
    task.cancel()
    return await task.value
  }
}
