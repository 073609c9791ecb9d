internal import APNS
internal import JSONText
internal import PlainText
internal import Reporting

/// The push that a curl command sends, without its secrets.
struct CurlPush {
  let payload: JSON
  /// The headers for APNs, without IDs.
  let headers: [DraftField]
  /// The destination; nil if the command does not say, as with a variable for the host.
  private(set) var environment: PushEnvironment?
  /// Nil if the command has a variable instead, or pushes to a channel.
  private(set) var token: DeviceToken?
  private(set) var channel: ChannelID?
  private let isBroadcast: Bool
  /// The bundle ID in the path of a push to a channel.
  private var app: BundleID?
  /// The omitted parts, and other notes for the user.
  private(set) var notes: [String] = []

  /// - Parameter text: a command line, as Apple's Push Notifications Console shows it.
  /// - Throws: `Failure` if it is not a push to a device or channel.
  init(_ text: String) throws(Failure) {
    let commands = try ShellWords(text).commands.compactMap { words in
      words.firstIndex { $0 == "curl" || $0.hasSuffix("/curl") }.map { words[($0 + 1)...] }
    }
    guard let words = commands.first else {
      throw Failure(
        "There is no curl command in it.",
        fix: "Copy the command from the Push Notifications Console, from 'curl' to the URL.")
    }
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

  private static func payload(_ text: String?) throws(Failure) -> JSON {
    guard let text else {
      throw Failure("The curl command has no payload.", fix: "Add it with --data '{\"aps\": …}'.")
    }
    let draft = Draft(payload: DraftPayload(reading: Array(text.utf8), file: "--data"))
    guard let json = draft.payload?.json, json.object != nil else {
      throw .problems(RuleTable.formRules.flatMap { $0.problems(in: draft, RuleContext(now: 0)) })
    }
    return json
  }

  /// The host of the first push URL, and the device token or bundle ID at its end.
  private static func place(
    among urls: [String]
  ) throws(Failure) -> (host: String, end: String, isBroadcast: Bool) {
    for url in urls {
      for path in [Draft(target: .device).path, Draft.broadcastPath] {
        guard let range = url.firstRange(of: path) else { continue }
        let end = url[range.upperBound...].prefix { !"/?#".contains($0) }
        return (String(url[..<range.lowerBound]), String(end), path == Draft.broadcastPath)
      }
    }
    throw Failure(
      "The curl command has no URL of a push to a device or a channel.",
      fix: "It looks like https://api.sandbox.push.apple.com/3/device/TOKEN.")
  }

  private mutating func read(app text: String) throws(Failure) {
    app = try? BundleID(text)
    guard let id = value(.channelID) else {
      throw Failure(
        "The curl command sends to a channel, and does not say to which.",
        fix: "Add it with --header 'apns-channel-id: ID'.")
    }
    channel = try? ChannelID(id)
    notes.append(
      channel.map { "The channel \($0) is in 'channel'." }
        ?? "The command has no channel ID: give --channel ID, or add 'channel'.")
  }

  private mutating func read(token text: String) {
    token = try? DeviceToken(tidying: text)
    notes.append(
      token.map { "The device token \($0.tail) is in 'recipients'." }
        ?? "The URL has no device token: give --to TOKEN, or add 'recipients'.")
  }

  private mutating func read(host: String) {
    guard let address = try? ServerAddress(url: host.contains("://") ? host : "https://\(host)")
    else {
      notes.append("The URL names no https server: give --env NAME, or add 'environment'.")
      return
    }
    let apple = PushEnvironment.service(ofHost: address.host.lowercased())
    environment = apple ?? .server(address)
    if isBroadcast, apple != nil, address.host.hasPrefix("api-broadcast.") {
      notes.append("A scenario has no host: give --broadcast-host \(address.authority).")
    } else if apple != nil, address.port != 443 {
      notes.append("A scenario has no port: give --port \(address.port).")
    }
  }

  private mutating func tellLeftOut(_ arguments: CurlArguments) {
    let names = arguments.headers.map(\.name).filter { !$0.hasPrefix("apns-") }
    if names.contains("authorization") {
      notes.append(
        "The authorization header was left out: give --key and --team-id, or use a profile.")
    }
    for id in Self.ids where arguments.headers.contains(where: { $0.name == id }) {
      notes.append("The \(id) was left out: each push gets its own.")
    }
    let others = names.filter { $0 != "authorization" }.map { "header \($0.prefix(60))" }
    let rest = (others + arguments.leftOut).joined(separator: ", ")
    if !rest.isEmpty { notes.append("Left out: \(rest.printable).") }
    if !arguments.credentialFiles.isEmpty {
      let options = arguments.credentialFiles.joined(separator: " ").printable
      notes.append("The certificate was left out: give \(options), or use a profile.")
    }
    if payload.encodedString().contains("{{") {
      notes.append("'{{' in the payload begins a placeholder; '{{{{' stands for the text.")
    }
  }
}

// The scenario.
extension CurlPush {
  /// The text of a scenario that sends the push.
  ///
  /// - Parameters:
  ///   - path: the scenario's file, for the `run` command in its first line.
  ///   - isStrict: whether to write JSON, which has no comments, instead of JSON5.
  func scenario(at path: String, isStrict: Bool = false) -> String {
    let text = """
      // Made from a curl command by 'fanfare init --from-curl'. Run it: fanfare run \(path)
      // Credentials are not in it: they come from options, variables, or a profile.
      {
        name: "From curl",
      \(place.map { "  \($0)\n" }.joined())\
        notification: {
      \(fields.map { "    \($0),\n" }.joined())\
          payload: \(payload.encodedString(.pretty).replacing("\n", with: "\n    ")),
        },
        expect: { status: 200 },
      }

      """
    let json = isStrict ? try? JSONReader(.json5).read(text) : nil
    return json.map { $0.encodedString(.pretty) + "\n" } ?? text
  }

  /// The members before the notification; a missing one becomes a comment to complete.
  private var place: [String] {
    let bundleID = isBroadcast ? app?.text : topicParts.bundleID
    let isOwn = environment.map { !PushEnvironment.named.contains($0) } ?? false
    let rows: [(key: String, value: String?, example: String)] = [
      ("bundleID", bundleID.map(quoted), "\"com.example.app\""),
      (
        "environment",
        environment.map { isOwn ? "{ server: \(quoted($0.name)) }" : quoted($0.name) },
        "\"sandbox\""
      ),
      isBroadcast
        ? ("channel", channel.map { quoted($0.text) }, "\"ID\"")
        : ("recipients", token.map { "[\(quoted($0.hex))]" }, "[\"TOKEN\"]"),
    ]
    return rows.filter { $0.key != "bundleID" || topicParts.topic == nil }.map { row in
      row.value.map { "\(row.key): \($0)," } ?? "// \(row.key): \(row.example),"
    }
  }

  private var fields: [String] {
    let keys: [(key: String, value: String?)] = [
      ("topic", topicParts.topic), ("type", value(.pushType)), ("priority", value(.priority)),
      ("expiration", value(.expiration)), ("collapseID", value(.collapseID)),
    ]
    let known = HeaderName.typed + (isBroadcast ? [.channelID] : [])
    let others = headers.filter { field in !known.contains { $0.text == field.name } }
    let members = others.map { JSONMember(key: $0.name, value: .text($0.value)) }
    let rest = JSON(.object(JSONObject(members))).encodedString(.compact)
    return keys.compactMap { key, value in value.map { "\(key): \(quoted($0))" } }
      + (others.isEmpty ? [] : ["headers: \(rest)"])
  }

  private func value(_ name: HeaderName) -> String? {
    headers.last { $0.name == name.text }?.value
  }

  /// The bundle ID if the topic is one with the push type's suffix; else the topic.
  private var topicParts: (bundleID: String?, topic: String?) {
    guard let topic = value(.topic) else { return (nil, nil) }
    let said = value(.pushType).flatMap { PushType(rawValue: $0)?.info }
    let info = said ?? PushTypeInference.infer(from: payload)?.info
    guard let info, info.usesBundleID, topic.hasSuffix(info.suffix) else { return (nil, topic) }
    return (String(topic.dropLast(info.suffix.count)), nil)
  }

  private func quoted(_ text: String) -> String { JSON(.string(text)).encodedString(.compact) }
}
