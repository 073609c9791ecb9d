internal import APNS
internal import JSONText
internal import PushEmulator
internal import WebServer

// Calls for the emulator's broadcast channels.
extension InboxAPI {
  func channels(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    return channelList
  }

  func setChannels(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let channels = try read(call, "channels", as: Channel.list) { body in
      var channels = ChannelEntries(limit: emulator.channelLimit)
      for entry in body["channels"].elements { channels.add(entry, at: Self.now / 1000) }
      return channels.all
    }
    emulator.replaceChannels(by: channels)
    return channelList
  }

  private var channelList: HTTPResponse {
    HTTPResponse(
      .json(.object([("channels", JSON(.array(emulator.channels.map(\.json))))])))
  }
}

/// The channels read so far from a list.
private struct ChannelEntries {
  let limit: Int
  private(set) var all: [Channel] = []
  private var known: Set<ChannelID> = []
  private var counts: [BundleID: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// - Parameter now: the default creation time, in seconds since 1970.
  mutating func add(_ entry: FileValue, at now: Int64) {
    guard let channel = Channel(reading: entry, at: now) else { return }
    if !known.insert(channel.id).inserted {
      entry.report("Another channel has the same ID.", fix: "Leave one of them out.")
    }
    counts[channel.app, default: 0] += 1
    if counts[channel.app] == limit + 1 {
      entry.report("\(channel.app) has more than \(limit) channels.", fix: "Send fewer.")
    }
    all.append(channel)
  }
}

extension Channel {
  fileprivate static let list = FileShape.object(
    FileKey(
      "channels",
      .array(
        .object(
          FileKey("id", .text, isRequired: true, help: "The channel's ID."),
          FileKey("bundleID", .text, isRequired: true, help: "The app that it belongs to."),
          FileKey("store", .truth, help: "Whether it stores the latest push."),
          FileKey("created", .form(time), help: "When it was created."))), isRequired: true,
      help: "All channels."))

  private static let time = TextForm(
    "a time", "'created' is not a time.",
    fix: "Write it like 2026-11-23T10:00:00Z, or leave it out."
  ) { ISO8601.seconds($0) != nil }

  /// `{id: "dHN0…", bundleID: "com.example.shop", store: true, created: "2026-11-23T10:00:00Z"}`
  fileprivate init?(reading channel: FileValue, at now: Int64) {
    guard let id = Self.id(channel["id"]), let app = Self.app(channel["bundleID"]) else {
      return nil
    }
    let created = channel["created"].text.flatMap { ISO8601.seconds($0) } ?? now
    self.init(
      id: id, app: app, policy: channel["store"].truth ?? false ? .latest : .nothing,
      created: Double(created))
  }

  private static func app(_ value: FileValue) -> BundleID? {
    guard let text = value.text else { return nil }
    guard let problem = RuleTable.problem(ofBundleID: text) else { return try? BundleID(text) }
    value.report(problem.message, fix: problem.fix)
    return nil
  }

  private static func id(_ value: FileValue) -> ChannelID? {
    guard let text = value.text else { return nil }
    do throws(ChannelIDError) {
      return try ChannelID(text)
    } catch {
      value.report(error.message, fix: error.fix)
      return nil
    }
  }

  fileprivate var json: JSON {
    .object([
      ("id", JSON(.string(id.text))), ("bundleID", JSON(.string(app.text))),
      ("store", JSON(.bool(policy == .latest))),
      ("created", JSON(.string(ISO8601.text(milliseconds: Int64(created * 1000))))),
    ])
  }
}
