import APNS
import Delivery
import HTTP2
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Sentences of errors")
struct SentenceTests {
  @Test("Errors of values say what is wrong, and what would be right")
  func values() {
    #expect(
      text { try DeviceToken("abc") }
        == "This is not a device token: it has an odd number of digits (3), so part of it is "
        + "missing.")
    #expect(
      text { try PushClient.Environment.server("http://localhost") }
        == "A server's address is a URL that begins with https://: APNs is never reached without "
        + "TLS.")
    let problems = text {
      try Notification(Content(.background, bytes: Array("[]".utf8)), bundleID: "com.example.shop")
    }
    #expect(problems.hasPrefix("payload: ") && problems.hasSuffix("."))
    #expect(!problems.contains("Problem("))
  }

  @Test("Errors of credentials name the file or part, and the fault")
  func credentials() {
    #expect(
      text { try PushClient.Credentials.signingKey(file: "/no/AuthKey.p8", teamID: "DEF123GHIJ") }
        == "/no/AuthKey.p8 does not exist.")
    #expect(
      text { try PushClient.Credentials.signingKey(pem: "", keyID: "x", teamID: "y") }
        == "This is not a key ID: 'x' is not an uppercase letter or digit.")
    #expect(
      text {
        try PushClient.Credentials.signingKey(pem: "", keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
      } == "the signing key: The key is empty.")
  }

  @Test("Obstacles are sentences, without the names of Swift's cases")
  func obstacles() {
    let target = DialTarget(host: "127.0.0.1", port: 1)
    let refused = DialError(layer: .tcp, detail: "Connection refused", target: target)
    let causes: [StopCause] = [
      .interrupted, .connecting(refused), .connectionLost("reset"), .goodbye(.badCertificate),
      .breaker(Response(status: .ofRefusedCredentials, reason: .invalidProviderToken)),
      .breaker(Response(status: .unavailable)), .outOfDescriptors, .outOfThreads,
    ]
    for obstacle in causes.map({ Obstacle($0) }) + [.cancelled, .closed, .paused, .system] {
      #expect(obstacle.description.hasSuffix("."))
      #expect(obstacle.description.first?.isUppercase == true)
    }
    #expect(
      Obstacle(causes[1]).description == "No connection to 127.0.0.1:1 (Connection refused).")
    #expect(
      Obstacle(causes[4]).description.hasPrefix(
        "Push after push was refused, the last with InvalidProviderToken. "))
    #expect(
      Obstacle(causes[5]).description == "Push after push was refused, the last with HTTP 503.")
  }

  private func text(_ body: () throws -> Any) -> String {
    do {
      _ = try body()
      return ""
    } catch {
      return "\(error)"
    }
  }
}
