import APNS
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Requests about channels that fail", .timeLimit(.minutes(15)))
struct ChannelErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: EmulatorAnswer
    var isInDoubt = false
    var status: Status?
    var reason: Reason?
    let sentence: String
  }

  private static let lost = "No answer came; the request may have been carried out."

  static let cases = [
    Case(
      testDescription: "closed without an answer", answer: .drop(.fin), isInDoubt: true,
      sentence: lost),
    Case(testDescription: "reset", answer: .reset(code: 2), isInDoubt: true, sentence: lost),
    Case(
      testDescription: "refused before it was looked at", answer: .reset(code: 7),
      sentence: "The server did not take the request. Send it again."),
    Case(testDescription: "silent", answer: .swallow, isInDoubt: true, sentence: lost),
    Case(
      testDescription: "refused", answer: .reject(.serviceUnavailable), status: .unavailable,
      reason: .serviceUnavailable,
      sentence: "The request was refused with " + Reason.serviceUnavailable.inWords),
    Case(
      testDescription: "answered by somebody else",
      answer: .custom(CustomAnswer(status: .unavailable)), status: .unavailable,
      sentence: "The request was refused with HTTP 503."),
  ]

  @Test("Only one that no answer came to is in doubt", arguments: cases)
  func answers(_ test: Case) async throws {
    let server = try TestServer { _ in test.answer }
    var options = PushClient.Options()
    options.timeout = .milliseconds(300)
    let client = try client(of: server, options)
    let error = try await #require(throws: PushClient.ChannelError.self) {
      try await client.channels(of: try BundleID("com.example.shop")).create()
    }
    #expect(error.isInDoubt == test.isInDoubt)
    #expect(error.status == test.status && error.reason == test.reason)
    #expect(error.description == test.sentence)
    #expect(server.emulator.requestCount == 1)
  }

  @Test("One that could not be sent is not in doubt, and says why")
  func noServer() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    server.emulator.stop()
    let error = try await #require(throws: PushClient.ChannelError.self) {
      try await client.channels(of: try BundleID("com.example.shop")).create()
    }
    #expect(!error.isInDoubt && error.status == nil && error.reason == nil)
    #expect(error.description.hasPrefix("The request was not sent. No connection to 127.0.0.1:"))
  }

  @Test("A new channel stores nothing, unless told to")
  func storing() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let channels = client.channels(of: try BundleID("com.example.shop"))
    let usual = try await channels.create()
    #expect(try await channels.policy(of: usual) == .nothing)
    let storing = try await channels.create(storing: .latest)
    #expect(try await channels.policy(of: storing) == .latest)
    #expect(try await Set(channels.all()) == [usual, storing])
    let others = client.channels(of: try BundleID("com.example.other"))
    #expect(try await others.all() == [])
  }
}
