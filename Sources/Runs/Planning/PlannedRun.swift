internal import APNS
internal import Credentials
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting
internal import Settings

/// A run before it is sent: what goes where, as whom, and to how many.
struct PlannedRun {
  /// The step of a scenario; nil for none.
  let step: ResultStep?
  /// The earlier run that it resumes, or whose pushes it sends again; nil for none.
  let resumes: RunNumber?
  let resends: RunNumber?
  /// It is left to workers.
  let isEnqueued: Bool
  let isAtMostOnce: Bool
  let destination: Destination
  let profile: String?
  let message: Message
  /// The message as it was written.
  let written: WrittenMessage?
  let pushes: PlannedPushes
  let recipients: PlannedRecipients
  let showsTokens: Bool
}

extension PlannedRun {
  init(
    _ order: RunOrder, _ message: Message, _ written: WrittenMessage?, _ pushes: PlannedPushes,
    _ recipients: PlannedRecipients, at destination: Destination
  ) {
    (self.message, self.written) = (message, written)
    (self.pushes, self.recipients) = (pushes, recipients)
    (self.destination, step) = (destination, order.origin.step)
    resumes = if case .resumed(let run) = order.origin { run.ledger.run } else { nil }
    resends = if case .resent(let pushes) = order.origin { pushes.entry.run } else { nil }
    let settings = order.settings
    (isEnqueued, isAtMostOnce) = (settings.enqueue.isOn, settings.atMostOnce.isOn)
    (profile, showsTokens) = (settings.profile?.value, settings.showTokens.isOn)
  }

  /// The environments, in the order in which they are tried.
  var environments: [String] { destination.servers.map(\.environment.name) }

  /// It reaches the users of an app, or may.
  var isForProduction: Bool { destination.servers.contains { $0.environment.isProduction } }

  /// The topic, or the app of a channel.
  var app: String? { message[.topic] ?? message.app }

  /// Adds all that is shown of it, and to whom it goes.
  func add(to digest: inout PlanDigest) {
    digest.add(Self.facts.line(of: self))
    digest.add("\(isEnqueued)")
    if let written { digest.add(written) }
    digest.add(pushes.digest)
  }
}

// Its fields.
extension PlannedRun {
  static let fields: [OutputField<Self>] =
    facts + [
      .sometimes(
        "sample", { run in run.pushes.sample.map { PlannedSample(run, $0) } },
        "One of its pushes; left out if none is known.", as: "such as"
      ) { run in run.pushes.sample.map { PlannedSample(run, $0).words } }
    ]

  /// What is the same whenever it is planned.
  private static let facts: [OutputField<Self>] = [
    .sometimes("scenario", \.step?.scenario, "The scenario's name, or its file."),
    .sometimes("step", \.step?.number, "The step's number among the notifications, from 1."),
    .sometimes("resumes", \.resumes?.rawValue, "The run that is resumed.", as: "resumes run"),
    .sometimes(
      "resends", \.resends?.rawValue, "The run whose pushes are sent again.", as: "resends run"),
    .list(
      "servers", { $0.destination.servers.map(PlannedServer.init) },
      "The servers, in the order in which they are tried.", PlannedServer.fields),
    .people { run in
      let servers = run.destination.servers.map { PlannedServer(server: $0).words }
      return [.text("to", StyledText(servers.joined(separator: ", then ")))]
    },
    .always("profile", \.profile, "The profile that supplies defaults.", as: "profile"),
    .sometimes("keyID", \.keyIDs?.key, "The key ID, as far as it is known without the key."),
    .sometimes("teamID", \.keyIDs?.team, "The team ID of the key."),
    .sometimes(
      "certificate", \.certificate, "The common name of the client certificate.", as: "certificate"),
    .people { run in [.text("key", run.keyIDs.flatMap { $0.key.map { StyledText($0) } })] },
    .always("app", \.app, "The topic, or the bundle ID of the channel's app.", as: "app"),
    .always("pushType", { $0.message[.pushType] }, "The push type.", as: "type"),
    .sometimes("channel", \.message.channel, "The broadcast channel.", as: "channel"),
    .always("atMostOnce", \.isAtMostOnce, "What may have arrived is never sent again."),
    .always("pushes", \.pushes.count, "Its pushes."),
    .always(
      "atLeast", { !$0.pushes.isExact },
      "There may be more: a list is longer than a million rows, or can be read only once."),
  ]

  private var keyIDs: (key: String?, team: String?)? {
    KeySettings(destination.credentials.settings).map { key in
      (key.outline.keyID?.text, key.outline.teamID?.text)
    }
  }

  private var certificate: String? {
    destination.credentials.certificate.map { $0.certificate?.facts.commonName ?? $0.name }
  }
}

/// A server of a plan.
private struct PlannedServer {
  let server: ServerChoice

  static let fields: [OutputField<Self>] = [
    .always(
      "environment", { $0.server.environment.name },
      "production, sandbox, emulator, inbox, or the server's URL."),
    .always(
      "url", { $0.server.address?.description }, "The URL; null for the emulator in the process."),
  ]

  var words: String {
    let (name, url) = (server.environment.name, server.address?.description)
    return [name, url == name ? nil : url].compactMap(\.self).joined(separator: ", ")
  }
}

/// A push as it would be sent.
private struct PlannedSample: JSONDescribed {
  let token: String?
  let headers: [(name: String, value: String)]
  let payload: [UInt8]

  init(_ run: PlannedRun, _ sample: PlannedPushes.Sample) {
    let token = run.message.channel == nil ? sample.token : nil
    self.token = token.map { run.showsTokens ? $0 : shortToken($0) }
    headers = run.message.fields.map { ($0.name.text, $0.value) }
    payload = sample.payload
  }

  static let fields: [OutputField<Self>] = [
    .always(
      "token", \.token,
      "Its device token, shortened without --show-tokens; null for a channel, and while unknown."),
    .always("headers", { JSON.headers($0.headers) }, "Its header fields.", .map(.text)),
    .always("payload", { JSON.payload($0.payload) }, "Its payload."),
  ]

  var words: StyledText {
    let payload = String(decoding: payload, as: UTF8.self).printable
    return .verbatim([token, payload].compactMap(\.self).joined(separator: " "))
  }
}
