internal import APNS
internal import JSONText
internal import PlainText
internal import Projects

/// A push that a command line of curl sends, without its secrets.
struct CurlPush {
  let payload: JSON
  /// The headers for APNs.
  let headers: [DraftField]
  /// Where it goes; nil when the command does not say, as with a variable for the host.
  private(set) var environment: PushEnvironment?
  /// Nil when the command has a variable in its place.
  private(set) var token: DeviceToken?
  /// What the user has to know: what was left out, and where it belongs.
  private(set) var notes: [String] = []

  /// - Parameter text: a command line, as Apple's Push Notifications Console shows it.
  /// - Throws: `Failure` when it is no push to a device.
  init(_ text: String) throws(Failure) {
    let commands = try ShellCommands(text).all.compactMap { words in
      words.firstIndex(where: Self.isCurl).map { words[($0 + 1)...] }
    }
    guard let words = commands.first else { throw .noCurl }
    let arguments = try CurlArguments(words)
    payload = try Self.payload(arguments.body)
    headers = arguments.headers.filter { $0.name.hasPrefix("apns-") && $0.name != "apns-id" }
    let path = try Self.place(among: arguments.urls)
    read(path)
    if commands.count > 1 { notes.append("Only the first of \(commands.count) commands was read.") }
    tellLeftOut(arguments)
  }

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

  /// The host and the device token of the first URL that is about a device.
  private static func place(among urls: [String]) throws(Failure) -> (host: String, token: String) {
    for url in urls {
      guard let path = url.firstRange(of: "/3/device/") else { continue }
      let token = url[path.upperBound...].prefix { !"/?#".contains($0) }
      return (String(url[..<path.lowerBound]), String(token))
    }
    throw .noDeviceURL
  }

  private mutating func read(_ place: (host: String, token: String)) {
    token = try? DeviceToken(tidying: place.token)
    if let token {
      notes.append("The device token \(token.tail) is in 'recipients'.")
    } else {
      notes.append("The URL has no device token: give --to TOKEN, or add 'recipients'.")
    }
    let url = place.host.contains("://") ? place.host : "https://\(place.host)"
    guard let address = try? ServerAddress(url: url) else {
      notes.append("The URL names no https server: give --env NAME, or add 'environment'.")
      return
    }
    let apple = Self.hosts[address.host.lowercased()]
    environment = apple ?? .server(address)
    if apple != nil, address.port != 443 {
      notes.append("A scenario has no port: give --port \(address.port).")
    }
  }

  /// Apple's hosts; the last is another name of the sandbox.
  private static let hosts: [String: PushEnvironment] = [
    "api.push.apple.com": .production, "api.sandbox.push.apple.com": .sandbox,
    "api.development.push.apple.com": .sandbox,
  ]

  private mutating func tellLeftOut(_ arguments: CurlArguments) {
    let names = arguments.headers.map(\.name)
    if names.contains("authorization") {
      notes.append(
        "The authorization header was left out: give --key and --team-id, or use a profile.")
    }
    if names.contains("apns-id") {
      notes.append("The apns-id was left out: each push gets its own.")
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
      ("bundleID", topicParts.bundleID.map(quoted), "\"com.example.app\""),
      ("environment", server, "\"sandbox\""),
      ("recipients", token.map { "[\(quoted($0.hex))]" }, "[\"TOKEN\"]"),
    ]
    return rows.filter { $0.0 != "bundleID" || topicParts.topic == nil }.map {
      key, value, example in
      value.map { "  \(key): \($0)," } ?? "  // \(key): \(example),"
    }.joined(separator: "\n")
  }

  private var fields: String {
    let keys: [(HeaderName, String)] = [
      (.pushType, "type"), (.priority, "priority"), (.expiration, "expiration"),
      (.collapseID, "collapseID"),
    ]
    var rows = keys.compactMap { name, key in value(name).map { "\(key): \(quoted($0))," } }
    if let topic = topicParts.topic { rows.insert("topic: \(quoted(topic)),", at: 0) }
    let others = headers.filter { field in !HeaderName.typed.contains { $0.text == field.name } }
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

  fileprivate static var noDeviceURL: Failure {
    Failure(
      "The curl command has no URL of a push to a device.",
      fix: "It looks like https://api.sandbox.push.apple.com/3/device/TOKEN.")
  }
}
