import APNS
import Delivery
import HTTP2
import SendingSupport
import TestSupport
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
      try PushNotification(
        PushContent(.background, bytes: Array("[]".utf8)), bundleID: "com.example.shop")
    }
    #expect(problems.hasPrefix("payload: ") && problems.hasSuffix("."))
    #expect(!problems.contains("Problem("))
  }

  @Test("Errors of credentials name the file or part, and the fault")
  func credentials() throws {
    let key = try freshKey()
    #expect(
      text { try PushClient.Credentials.signingKey(file: "/no/AuthKey.p8", teamID: "DEF123GHIJ") }
        == "/no/AuthKey.p8 does not exist.")
    #expect(
      text { try PushClient.Credentials.signingKey(pem: key, keyID: "x", teamID: "y") }
        == "This is not a key ID: 'x' is not an uppercase letter or digit.")
    #expect(
      text {
        try PushClient.Credentials.signingKey(pem: "", keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
      } == "the signing key: The key is empty.")
  }

  @Test("The text of a key in place of its path is not in the error")
  func keyText() throws {
    let key = "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----"
    let error = text { try PushClient.Credentials.signingKey(file: key, teamID: "DEF123GHIJ") }
    #expect(error == "The path of the key is the text of one, which signingKey(pem:…) takes.")
    #expect(
      text { try PushClient.Credentials.certificate(file: "", key: nil) }
        == "The path of the certificate is empty.")
  }

  @Test("A file is told to hold no key before its name is told to lack a key ID")
  func fileName() throws {
    try withTemporaryFolder { folder in
      let file = folder.file("key.p8")
      func sentence() -> String {
        text { try PushClient.Credentials.signingKey(file: file, teamID: "DEF123GHIJ") }
      }
      try folder.write("key.p8", "no key")
      #expect(sentence().hasPrefix("\(file): ") && !sentence().contains("key ID"))
      try folder.write("key.p8", try freshKey())
      #expect(
        sentence()
          == "\(file): its name has no key ID, as AuthKey_ABC123DEFG.p8 has. Give the key ID.")
    }
  }

  @Test("Errors of headers are sentences")
  func headers() {
    #expect(
      text { try BundleID("com.example shop") }
        == "The topic or bundle ID must not contain \" \" (character 12).")
    #expect(text { try CollapseID("") } == "The collapse ID is empty.")
    #expect(text { try Expiration("soon", now: 0) }.hasSuffix("or a time such as 1h."))
    #expect(
      text { try PushClient.Environment.server("https://localhost:0") }
        == "The port of a server's address is from 1 to 65535.")
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
      Obstacle(causes[5]).description
        == "Push after push was refused, the last with HTTP 503 and no reason. "
        + "Check the server's address.")
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
