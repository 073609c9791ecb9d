import APNS
import Delivery
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Reasons of results", .timeLimit(.minutes(15)))
struct ResultReasonTests {
  private static let answers: [(String, EmulatorAnswer)] = [
    ("swallowed", .swallow), ("reset", .reset(code: 2)), ("refused", .reset(code: 7)),
    ("dropped", .drop(.rst)), ("503", .reject(.serviceUnavailable)),
    ("dead", .reject(.unregistered)), ("credentials", .reject(.unrelatedKeyID)),
    ("accepted", .accept),
  ]

  @Test("Each result has an answer to go by, or says why there is none", arguments: answers)
  func reasons(_ name: String, _ answer: EmulatorAnswer) async throws {
    let server = try TestServer { _ in answer }
    var options = PushClient.Options()
    options.timeout = .milliseconds(200)
    let client = try client(of: server, options)
    var results = [try await client.send(sample(), to: device(1))]
    for try await result in client.send(try sample(), to: try deviceTokens(2..<40)) {
      results.append(result)
    }
    for result in results {
      #expect((result.status == nil) == (result.obstacle != nil), "\(result)")
      #expect(result.obstacle?.description.hasSuffix(".") != false)
    }
    await client.close()
  }

  @Test("A key that is related to no other is the credentials' business")
  func unrelated() {
    let answer = Response(status: .forbidden, reason: .unrelatedKeyID)
    #expect(Obstacle(.breaker(answer)).kind == .credentials)
  }

  @Test("No sentence of the library speaks of the command line")
  func words() throws {
    let template = try PushTemplate(.alert(title: "Hello {{name}}"), bundleID: "com.example.shop")
    let error = try #require(throws: BrokenRules.self) { try template.notification() }
    let sentences =
      [error.description] + Reason.table.map(\.advice) + Reason.table.map(\.meaning)
      + Reason.table.flatMap(\.reason.causes).map(\.plainFix) + RuleTable.all.map(\.fix)
    for sentence in sentences {
      #expect(!sentence.contains(" --") && !sentence.contains("'fanfare "), "\(sentence)")
    }
  }
}
