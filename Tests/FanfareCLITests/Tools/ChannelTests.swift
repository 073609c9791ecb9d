import APNS
import CommandLineKit
import Credentials
import History
import JSONText
import Testing
internal import Tools

@testable import FanfareCLI
@testable import HTTP2
@testable import Reporting
@testable import Runs
@testable import Settings

private let channel = (try? ChannelID("dHN0LXNyY2gtY2hubA==")) ?? ChannelID.none

extension ChannelID {
  /// Never used: the text above is a channel ID.
  fileprivate static var none: ChannelID { preconditionFailure("not base64") }
}

@Suite("What follows an attempt at a request about channels")
struct ChannelTrialsTests {
  struct Row: CustomTestStringConvertible {
    let request: ChannelRequest
    let attempts: [ChannelAttempt]
    /// The steps, a word each.
    let steps: String
    var testDescription: String { "\(request.method) \(steps)" }

    init(_ request: ChannelRequest, _ attempts: [ChannelAttempt], _ steps: String) {
      (self.request, self.attempts, self.steps) = (request, attempts, steps)
    }
  }

  private static func refused(_ status: Status, _ reason: Reason? = nil) -> ChannelAttempt {
    .answered(Response(status: status, reason: reason), nil)
  }

  private static let lost = ChannelAttempt.inDoubt(.closed)
  private static let busy = refused(.unavailable, .serviceUnavailable)
  private static let gone = refused(.badRequest, .channelNotRegistered)
  private static let done = ChannelAttempt.answered(Response(status: .noContent), .deleted)

  static let rows = [
    Row(.delete(channel), [done], "end"),
    Row(.delete(channel), [lost, gone], "100 end"),
    Row(.delete(channel), [busy, gone], "500 end"),
    Row(.delete(channel), [gone], "refused"),
    Row(.delete(channel), [.notProcessed(.closed), gone], "100 refused"),
    Row(.delete(channel), [lost, lost, lost, lost], "100 200 400 unknown"),
    Row(.list, [busy, busy, busy, busy], "500 1000 2000 refused"),
    Row(.list, [refused(.tooMany, .tooManyRequests), done], "500 end"),
    Row(.list, [refused(.accepted)], "unreadable"),
    Row(.create(.latest), [lost], "unknown"),
    Row(.create(.latest), [busy], "refused"),
    Row(.create(.latest), [refused(.created)], "unknown"),
    Row(.create(.latest), [.notProcessed(.closed), lost], "100 unknown"),
    Row(.list, [refused(.forbidden, .expiredProviderToken), done], "0 end"),
    Row(
      .list,
      [refused(.forbidden, .expiredProviderToken), refused(.forbidden, .expiredProviderToken)],
      "0 refused"),
    Row(.read(channel), [refused(.forbidden, .topicMismatch)], "refused"),
  ]

  @Test("is told by whether it may be repeated", arguments: rows)
  func steps(_ row: Row) {
    var trials = ChannelTrials(row.request)
    let steps = row.attempts.map { attempt in
      switch trials.step(after: attempt, renews: true, chance: 0) {
      case .end: "end"
      case .again(let pause): "\(pause)"
      case .fail(.refused): "refused"
      case .fail(.unreadable): "unreadable"
      case .fail(.unknown): "unknown"
      case .fail(.notProcessed): "not processed"
      case .fail(.notDialed): "not dialed"
      }
    }
    #expect(steps.joined(separator: " ") == row.steps)
  }
}

@Suite("What is said about channels")
struct ChannelTextTests {
  struct Row: CustomTestStringConvertible {
    let request: ChannelRequest
    let fault: ChannelRequestFault
    let text: [String]
    let exitCode: ExitCode
    var testDescription: String { text[0] }

    init(
      _ request: ChannelRequest, _ fault: ChannelRequestFault, _ sentence: String, _ fix: String,
      _ exitCode: ExitCode
    ) {
      (self.request, self.fault, self.exitCode) = (request, fault, exitCode)
      text = [sentence, fix]
    }
  }

  private static func refused(_ status: Status, _ reason: Reason) -> ChannelRequestFault {
    .refused(Response(status: status, reason: reason))
  }

  static let rows = [
    Row(
      .create(.nothing), refused(.badRequest, .featureNotEnabled),
      "The channel was not created: 400 FeatureNotEnabled. Broadcast is not enabled for the app.",
      "Enable the Broadcast capability of the App ID in the developer portal.", .failure),
    Row(
      .delete(channel), refused(.badRequest, .channelNotRegistered),
      "Channel \(channel) was not deleted: 400 ChannelNotRegistered. The channel does not exist.",
      "List the channels; each belongs to one environment.", .failure),
    Row(
      .list, refused(.forbidden, .topicMismatch),
      "The channels were not listed: 403 TopicMismatch. The key or certificate does not cover the "
        + "app in the path.", "Use the plain bundle ID and a key of its team.", .connection),
    Row(
      .read(channel), refused(.tooMany, .tooManyRequests),
      "Channel \(channel) was not read: 429 TooManyRequests. Too many requests were sent in a "
        + "short time.", "Wait, then try again.", .unfinished),
    Row(
      .create(.latest), .unknown(.closed),
      "It is not known whether the channel was created. The server closed the connection.",
      "Look for it with 'fanfare channel list' before you create another.", .unfinished),
    Row(
      .delete(channel), .unknown(nil),
      "It is not known whether channel \(channel) was deleted.",
      "Delete it again: if it is gone, the answer is ChannelNotRegistered.", .unfinished),
    Row(
      .list, .unreadable(.accepted),
      "The channels were not listed: the answer, status 200, is not one that Apple documents.",
      "Check that this is APNs, and look for a proxy on the way.", .connection),
  ]

  @Test("when a request was not carried out, with what to do", arguments: rows)
  func failures(_ row: Row) {
    let failure = Failure.channel(row.fault, row.request, RequestFacts(service: .sandbox))
    #expect(failure.lines == row.text)
    #expect(failure.exitCode == row.exitCode)
  }

  @Test("when a firewall blocks the port of the hosts that manage them")
  func firewall() {
    let error = DialError(
      layer: .timeout, detail: "",
      target: DialTarget(host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195))
    #expect(error.fix.contains("blocks port 2195") && !error.fix.contains("2197"))
  }

  @Test("as a request that is not sent: everything but the provider token")
  func dryRun() throws {
    let id = try #require(APNSID("0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9"))
    let app = try BundleID("com.example.app")
    let creation = ChannelRequestText(
      request: .create(.latest), app: app, host: "a.example:2195", certificate: nil, requestID: id)
    #expect(
      ReportText().text(of: creation.report) == """
        POST /1/apps/com.example.app/channels HTTP/2
        host: a.example:2195
        authorization: bearer (not shown)
        apns-request-id: \(id)

        {"message-storage-policy":1,"push-type":"LiveActivity"}


        """)
    let deletion = ChannelRequestText(
      request: .delete(channel), app: app, host: "a.example:2195", certificate: "Ada",
      requestID: id)
    let json = deletion.report.json
    #expect(json["method"] == "DELETE" && json["certificate"] == "Ada")
    #expect(json["url"] == "https://a.example:2195/1/apps/com.example.app/channels")
    #expect(json["headers"]?["apns-channel-id"]?.string == channel.text)
    #expect(json["payload"] == JSON(.null))
  }
}

@Suite("Where channels are managed")
struct ChannelPlaceTests {
  struct Row: CustomTestStringConvertible {
    let words: [String]
    /// The URL; nil where the words are refused.
    let url: String?
    var testDescription: String { "\(words)" }

    init(_ words: String..., url: String?) { (self.words, self.url) = (words, url) }
  }

  static let rows = [
    Row("--env", "production", url: "https://api-manage-broadcast.push.apple.com:2196"),
    Row("--env", "sandbox", url: "https://api-manage-broadcast.sandbox.push.apple.com:2195"),
    Row("--env", "sandbox", "--manage-host", "a.example", url: "https://a.example:2195"),
    Row("--env", "sandbox", "--manage-host", "a.example:443", url: "https://a.example"),
    Row("--env", "sandbox", "--manage-host", "a.example:8443/", url: "https://a.example:8443"),
    Row("--env", "sandbox", "--manage-host", "a.example:02196", url: "https://a.example:2196"),
    Row("--env", "sandbox", "--manage-host", "[::1]", url: "https://[::1]:2195"),
    Row("--server", "https://b.example:8443", url: "https://b.example:8443"),
    Row(
      "--server", "https://b.example:8443", "--manage-host", "a.example:2196",
      url: "https://a.example:2196"),
    Row("--env", "sandbox", "--manage-host", "https://a.example", url: nil),
    Row("--env", "emulator", "--manage-host", "a.example", url: nil),
  ]

  @Test("is a host and a port of their own, unless said otherwise", arguments: rows)
  func places(_ row: Row) throws {
    let options = try ChannelListCommand.parse(row.words).list.settings
    let context = context()
    let settings = try options.merged(reading: [.place], context)
    let choice = try? ServerChoice(settings, context).managing(settings, context)
    #expect(choice?.address?.description == row.url)
  }

  static let names: [(PushEnvironment, String)] = [
    (.production, "production"), (.sandbox, "sandbox"), (.emulator, "emulator"),
    (.server(ServerAddress(host: "API.push.apple.com", port: 2197)), "production"),
    (.server(ServerAddress(host: "api-broadcast.sandbox.push.apple.com")), "sandbox"),
    (.server(ServerAddress(host: "api.development.push.apple.com")), "sandbox"),
    (.server(ServerAddress(host: "a.example", port: 8443)), "https://a.example:8443"),
    (.inbox(ServerAddress(host: "127.0.0.1", port: 2)), "https://127.0.0.1:2"),
  ]

  @Test("has one name for all hosts and ports of a service", arguments: names)
  func name(_ environment: PushEnvironment, _ name: String) {
    #expect(environment.nameOfChannels == name)
  }
}
