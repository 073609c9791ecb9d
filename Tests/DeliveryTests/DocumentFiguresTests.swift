import APNS
import Foundation
import Testing

@testable import Delivery

@Suite("The figures in docs/sending.md")
struct DocumentFiguresTests {
  private let page: String

  init() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/sending.md").standardized
    page = try String(contentsOf: file, encoding: .utf8)
  }

  /// The failures in a row that end a run before its first answer.
  private var tries: Int {
    var (reconnect, count) = (Reconnect(), 1)
    while count < 100, reconnect.failed(jitter: 0, answersOfRun: 0) != nil { count += 1 }
    return count
  }

  /// The number of the answer that stops a run; nil if none of 2,000 does.
  private func stop(_ reason: Reason, after accepted: Int = 0) -> Int? {
    var breaker = Breaker()
    let good = Response(status: .accepted)
    for _ in 0..<accepted { _ = breaker.answered(.init(response: good)) }
    let bad = Response(status: reason.info?.status ?? .badRequest, reason: reason)
    return (1...2000).first { _ in breaker.answered(.init(response: bad)) }
  }

  @Test("say how often a push is resent")
  func resends() {
    #expect(page.contains("same `apns-id`, at most \(RetryPolicy.resendLimit) times, then unknown"))
    #expect(page.contains("\(tries) connections that break in a row end it"))
    #expect(tries == 3 && page.contains("so a push is resent twice at most"))
    #expect(page.contains("resent at most \(RetryPolicy.resendLimit) times, then deferred"))
    #expect(page.contains("up to \(RetryPolicy.slowTokenTries) tries for that device token"))
  }

  @Test("say which refusals stop a run, and when")
  func refusals() throws {
    let first = try #require(stop(.badTopic))
    let later = try #require(stop(.badTopic, after: 1))
    #expect(page.contains("after \(first) with nothing accepted, later after \(later) in a row"))
    #expect(stop(.unregistered) == nil && page.contains("410 never stops one"))
  }
}
