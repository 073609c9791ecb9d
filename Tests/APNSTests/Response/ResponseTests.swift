import APNS
import Testing

@Suite struct ResponseTests {
  @Test("A reason is 1 to 64 printable characters", arguments: ["", "  ", "a\n", "é", "\u{7F}"])
  func badReason(word: String) {
    #expect(Reason(rawValue: word) == nil)
    #expect(Reason(rawValue: String(repeating: "a", count: 64)) != nil)
    #expect(Reason(rawValue: String(repeating: "a", count: 65)) == nil)
  }

  @Test(
    "The reason decides about sending again",
    arguments: [
      (Reason.badDeviceToken, RetryClass.never, DeadToken.candidate, false),
      (.deviceTokenNotForTopic, .never, .no, false),
      (.unregistered, .never, .yes, false),
      (.expiredToken, .never, .yes, false),
      (.badTopic, .afterFix, .no, false),
      (.idleTimeout, .newConnection, .no, true),
      (.unrelatedKeyID, .newConnection, .no, true),
      (.expiredProviderToken, .newProviderToken, .no, true),
      (.invalidProviderToken, .credentials, .no, true),
      (.badEnvironmentKey, .credentials, .no, true),
      (.badEnvironmentKeyID, .credentials, .no, true),
      (.forbidden, .never, .no, false),
      (.payloadTooLarge, .never, .no, false),
      (.tooManyProviderTokenUpdates, .keepToken, .no, false),
      (.tooManyRequests, .slowToken, .no, false),
      (.internalServerError, .later, .no, false),
      (.shutdown, .later, .no, true),
    ])
  func retry(reason: Reason, retry: RetryClass, dead: DeadToken, isConnectionUsed: Bool) throws {
    let status = try #require(reason.info).status
    let response = Response(status: status, reason: reason)
    #expect(response.retry == retry)
    #expect(response.deadToken == dead)
    #expect(response.needsNewConnection == isConnectionUsed)
    #expect(!response.isAccepted)
  }

  @Test(
    "The status decides when the reason is unknown or absent",
    arguments: [
      (400, RetryClass.afterFix), (403, .credentials), (404, .never), (405, .never),
      (408, .later), (410, .never), (413, .never), (418, .afterFix), (429, .slowToken),
      (500, .later), (502, .later), (503, .later), (302, .later), (204, .later),
    ])
  func fallback(status: Int, retry: RetryClass) throws {
    let status = Status(rawValue: status)
    #expect(Response(status: status).retry == retry)
    #expect(Response(status: status, reason: Reason(rawValue: "New")).retry == retry)
  }

  @Test("Accepted is 200 and nothing else")
  func accepted() {
    let response = Response(status: .accepted, apnsID: "A", uniqueID: "B")
    #expect(response.isAccepted)
    #expect(response.retry == nil)
    #expect(response.deadToken == .no)
    #expect(!response.needsNewConnection)
    #expect(!Response(status: Status(rawValue: 201)).isAccepted)
  }

  @Test("A body is read with its answer, but not that of an accepted push")
  func body() {
    let bytes = Array(#"{"reason":"Unregistered","timestamp":7}"#.utf8)
    bytes.withUnsafeBufferPointer { bytes in
      #expect(Response(status: .gone, body: bytes).reason == .unregistered)
      #expect(Response(status: .gone, body: bytes).timestamp == 7)
      #expect(Response(status: .accepted, body: bytes).reason == nil)
    }
  }

  @Test("410 without a readable reason makes the token a candidate")
  func goneWithoutReason() {
    #expect(Response(status: .gone).deadToken == .candidate)
  }

  @Test("The sentence names both clocks, or this machine's alone")
  func clocks() {
    #expect(
      Clocks(here: 1_700_000_000, server: 1_700_005_400).sentence
        == "This machine's clock said 2023-11-14T22:13:20Z, the server's 2023-11-14T23:43:20Z.")
    #expect(
      Clocks(here: 1_700_000_000, server: nil).sentence
        == "This machine's clock said 2023-11-14T22:13:20Z.")
  }
}
