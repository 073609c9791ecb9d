internal import APNS
internal import JSONText
internal import PlainText
internal import Reporting

/// A push that a command line of curl sends, without its secrets.
struct CurlPush {
  let payload: JSON
  /// The headers for APNs.
  let headers: [DraftField]
  /// Where it goes; nil when the command does not say, as with a variable for the host.
  private(set) var environment: PushEnvironment?
  /// Nil when the command has a variable in its place, or it goes to a channel.
  private(set) var token: DeviceToken?
  private let isBroadcast: Bool
  /// The bundle ID in the path of a push to a channel; nil when the command has a variable in its
  /// place, or it goes to a device.
  private var app: BundleID?
  /// What the user has to know: what was left out, and where it belongs.
  private(set) var notes: [String] = []

  /// - Parameter text: a command line, as Apple's Push Notifications Console shows it.
  /// - Throws: `Failure` unless it is a push to a device or a channel.
  init(_ text: String) throws(Failure) {
    let commands = try ShellCommands(text).all.compactMap { words in
      words.firstIndex(where: Self.isCurl).map { words[($0 + 1)...] }
    }
    guard let words = commands.first else { throw .noCurl }
    let arguments = try CurlArguments(words)
    payload = try Self.payload(arguments.body)
    headers = arguments.headers.filter { $0.name.hasPrefix("apns-") && !Self.ids.contains($0.name) }
    let place = try Self.place(among: arguments.urls)
    isBroadcast = place.isBroadcast
    if isBroadcast { try read(app: place.end) } else { read(token: place.end) }
    read(host: place.host)
    if commands.count > 1 { notes.append("Only the first of \(commands.count) commands was read.") }
    tellLeftOut(arguments)
  }

  private static let ids = [HeaderName.id.text, HeaderName.requestID.text]

  private static func isCurl(_ word: String) -> Bool {
    ["curl", "curl.exe"].contains(word.split(separator: "/").last.map(String.init))
  }

  private static func payload(_ text: String?) throws(Failure) -> JSON {
    guard let text else { throw .noBody }
    let draft = Draft(payload: DraftPayload(reading: Array(text.utf8), file: "--data"))
    guard let json = draft.payload?.json, json.object != nil else {
      throw .problems(RuleTable.formRules.flatMap { $0.problems(in: draft, RuleContext(now: 0)) })
    }
    return json
  }

  private typealias Place = (host: String, end: String, isBroadcast: Bool)

  /// The host of the first URL that is about a push, and the device token or bundle ID at its end.
  private static func place(among urls: [String]) throws(Failure) -> Place {
    for url in urls {
      for path in [Draft(target: .device).path, Draft.broadcastPath] {
        guard let range = url.firstRange(of: path) else { continue }
        let end = url[range.upperBound...].prefix { !"/?#".contains($0) }
        return (String(url[..<range.lowerBound]), String(end), path == Draft.broadcastPath)
      }
    }
    throw .noPushURL
  }

  private mutating func read(app text: String) throws(Failure) {
    app = try? BundleID(text)
    if value(.channelID) == nil { throw .noChannel }
    notes.append(
      channel.map { "The channel \($0) is in 'channel'." }
        ?? "The command has no channel ID: give --channel ID, or add 'channel'.")
  }

  private var channel: ChannelID? { value(.channelID).flatMap { try? ChannelID($0) } }

  private mutating func read(token text: String) {
    token = try? DeviceToken(tidying: text)
    if let token {
      notes.append("The device token \(token.tail) is in 'recipients'.")
    } else {
      notes.append("The URL has no device token: give --to TOKEN, or add 'recipients'.")
    }
  }

  private mutating func read(host: String) {
    let url = host.contains("://") ? host : "https://\(host)"
    guard let address = try? ServerAddress(url: url) else {
      notes.append("The URL names no https server: give --env NAME, or add 'environment'.")
      return
    }
    let apple = Self.hosts[address.host.lowercased()]
    if let other = Self.broadcastHosts[address.host.lowercased()], isBroadcast {
      environment = other
      notes.append("A scenario has no host: give --broadcast-host \(address.authority).")
      return
    }
    environment = apple ?? .server(address)
    if apple != nil, address.port != 443 {
      notes.append("A scenario has no port: give --port \(address.port).")
    }
  }

  /// Apple's hosts; the last is another name of the sandbox.
  private static let hosts: [String: PushEnvironment] = [
    "api.push.apple.com": .production, "api.sandbox.push.apple.com": .sandbox,
    PushEnvironment.olderSandboxHost: .sandbox,
  ]

  /// What Apple's samples name for pushes to channels, in place of those.
  private static let broadcastHosts: [String: PushEnvironment] = [
    "api-broadcast.push.apple.com": .production, "api-broadcast.sandbox.push.apple.com": .sandbox,
  ]

  private mutating func tellLeftOut(_ arguments: CurlArguments) {
    let names = arguments.headers.map(\.name)
    if names.contains("authorization") {
      notes.append(
        "The authorization header was left out: give --key and --team-id, or use a profile.")
    }
    for id in Self.ids where names.contains(id) {
      notes.append("The \(id) was left out: each push gets its own.")
    }
    let others = names.filter { !$0.hasPrefix("apns-") && $0 != "authorization" }
    let rest =
      others.map { "header \($0.prefix(60).printable)" } + arguments.leftOut.map(\.printable)
    if !rest.isEmpty { notes.append("Left out: \(rest.joined(separator: ", ")).") }
    if !arguments.credentialFiles.isEmpty {
      let options = arguments.credentialFiles.map(\.printable).joined(separator: " ")
      notes.append("The certificate was left out: give \(options), or use a profile.")
    }
    if payload.encodedString().contains("{{") {
      notes.append("'{{' in the payload begins a placeholder; '{{{{' stands for the text.")
    }
  }
}

// The scenario.
extension CurlPush {
  /// The text of a scenario that sends it.
  ///
  /// - Parameters:
  ///   - path: the scenario's file, as it is run.
  ///   - isStrict: whether it is in JSON, which has no comments, and not in JSON5.
  func scenario(at path: String, isStrict: Bool = false) -> String {
    let text = scenarioText(at: path)
    let json = isStrict ? try? JSONReader(.json5).read(text) : nil
    return json.map { $0.encodedString(.pretty) + "\n" } ?? text
  }

  private func scenarioText(at path: String) -> String {
    """
    // Made from a curl command by 'fanfare init --from-curl'. Run it: fanfare run \(path)
    // Credentials are not in it: they come from options, variables, or a profile.
    {
      name: "From curl",
    \(place)
      notification: {
    \(fields)
        payload: \(indented(payload)),
      },
      expect: { status: 200 },
    }

    """
  }

  /// The members that come before the notification; what is missing is there to be completed.
  private var place: String {
    let (name, address) = (environment?.name, environment?.address?.description)
    let isNamed = name.map { PushEnvironment.named.map(\.name).contains($0) } ?? true
    let server = isNamed ? name.map(quoted) : address.map { "{ server: \(quoted($0)) }" }
    let rows: [(String, String?, example: String)] = [
      (
        "bundleID", (isBroadcast ? app?.text : topicParts.bundleID).map(quoted),
        "\"com.example.app\""
      ),
      ("environment", server, "\"sandbox\""), recipient,
    ]
    return rows.filter { $0.0 != "bundleID" || topicParts.topic == nil }.map {
      key, value, example in
      value.map { "  \(key): \($0)," } ?? "  // \(key): \(example),"
    }.joined(separator: "\n")
  }

  /// The channel, or the device token.
  private var recipient: (String, String?, example: String) {
    isBroadcast
      ? ("channel", channel.map { quoted($0.text) }, "\"ID\"")
      : ("recipients", token.map { "[\(quoted($0.hex))]" }, "[\"TOKEN\"]")
  }

  private var fields: String {
    let keys: [(HeaderName, String)] = [
      (.pushType, "type"), (.priority, "priority"), (.expiration, "expiration"),
      (.collapseID, "collapseID"),
    ]
    var rows = keys.compactMap { name, key in value(name).map { "\(key): \(quoted($0))," } }
    if let topic = topicParts.topic { rows.insert("topic: \(quoted(topic)),", at: 0) }
    let said = HeaderName.typed + (isBroadcast ? [.channelID] : [])
    let others = headers.filter { field in !said.contains { $0.text == field.name } }
    if !others.isEmpty {
      let members = others.map { JSONMember(key: $0.name, value: .text($0.value)) }
      rows.append("headers: \(JSON(.object(JSONObject(members))).encodedString(.compact)),")
    }
    return rows.map { "    \($0)" }.joined(separator: "\n")
  }

  private func value(_ name: HeaderName) -> String? {
    headers.last { $0.name == name.text }?.value
  }

  /// The bundle ID, where the topic is one with what the push type adds; else the topic.
  private var topicParts: (bundleID: String?, topic: String?) {
    guard let topic = value(.topic) else { return (nil, nil) }
    let said = value(.pushType).flatMap { PushType(rawValue: $0)?.info }
    let info = said ?? PushTypeInference.infer(from: payload)?.info
    guard let info, info.usesBundleID, topic.hasSuffix(info.suffix) else { return (nil, topic) }
    return (String(topic.dropLast(info.suffix.count)), nil)
  }

  private func quoted(_ text: String) -> String { JSON(.string(text)).encodedString(.compact) }

  private func indented(_ json: JSON) -> String {
    json.encodedString(.pretty).split(separator: "\n").joined(separator: "\n    ")
  }
}

extension Failure {
  fileprivate static var noCurl: Failure {
    Failure(
      "There is no curl command in it.",
      fix: "Copy the command from the Push Notifications Console, from 'curl' to the URL.")
  }

  fileprivate static var noBody: Failure {
    Failure("The curl command has no payload.", fix: "Add it with --data '{\"aps\": …}'.")
  }

  fileprivate static var noPushURL: Failure {
    Failure(
      "The curl command has no URL of a push to a device or a channel.",
      fix: "It looks like https://api.sandbox.push.apple.com/3/device/TOKEN.")
  }

  fileprivate static var noChannel: Failure {
    Failure(
      "The curl command sends to a channel, and does not say to which.",
      fix: "Add it with --header 'apns-channel-id: ID'.")
  }
}
