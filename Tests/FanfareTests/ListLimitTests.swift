import APNS
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("Pushes between reading and taking", .timeLimit(.minutes(5)))
struct ListLimitTests {
  /// The documented limit.
  private static let limit = 32_768

  @Test(
    "Without a consumer 32,768 recipients are read, not one more, whether or not they are answered",
    arguments: [true, false])
  func limit(isAnswered: Bool) async throws {
    let server = try TestServer { _ in isAnswered ? nil : .swallow }
    let other = try TestServer()
    let (client, bystander) = (try client(of: server), try client(of: other))
    let tokens = EndlessTokens(many: Self.limit)
    let results = client.send(try sample(), to: tokens).makeAsyncIterator()
    await tokens.areMany.wait()
    // Time in which a reader that nothing holds up would have read thousands.
    for number in 1...200 {
      let result = await bystander.send(try sample(), to: try device(number))
      #expect(result.outcome == .accepted)
    }
    #expect(tokens.count.value.load(ordering: .relaxed) == Self.limit)
    withExtendedLifetime(results) {}
    await bystander.close()
  }
}
