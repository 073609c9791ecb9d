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
    let channels = try read(call, "channels") { object -> [Channel]? in
      if !object.has("channels") { _ = object.value("channels", isRequired: true) }
      var channels = ChannelEntries(limit: emulator.channelLimit)
      for entry in object.objects("channels") { channels.add(entry, at: Self.now / 1000) }
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
  mutating func add(_ entry: FileObject, at now: Int64) {
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
  /// `{id: "dHN0…", bundleID: "com.example.shop", store: true, created: "2026-11-23T10:00:00Z"}`
  fileprivate init?(reading object: FileObject, at now: Int64) {
    let id = Self.id(object)
    let app = object.text("bundleID", isRequired: true).flatMap { text -> BundleID? in
      let problem = RuleTable.problem(ofBundleID: text)
      if let problem {
        object.report(
          "bundleID", JSON(.string(text)), problem.message, fix: problem.fix)
      }
      return problem == nil ? try? BundleID(text) : nil
    }
    let stores = object.truth("store") ?? false
    let created = Self.created(object) ?? now
    object.refuseOtherKeys()
    guard let id, let app else { return nil }
    self.init(
      id: id, app: app, policy: stores ? .latest : .nothing, created: Double(created))
  }

  private static func id(_ object: FileObject) -> ChannelID? {
    guard let text = object.text("id", isRequired: true) else { return nil }
    do throws(ChannelIDError) {
      return try ChannelID(text)
    } catch {
      object.report("id", JSON(.string(text)), error.message, fix: error.fix)
      return nil
    }
  }

  private static func created(_ object: FileObject) -> Int64? {
    guard let text = object.text("created") else { return nil }
    let seconds = ISO8601.seconds(text)
    if seconds == nil {
      object.report(
        "created", JSON(.string(text)), "'created' is not a time.",
        fix: "Write it like 2026-11-23T10:00:00Z, or leave it out.")
    }
    return seconds
  }

  fileprivate var json: JSON {
    .object([
      ("id", JSON(.string(id.text))), ("bundleID", JSON(.string(app.text))),
      ("store", JSON(.bool(policy == .latest))),
      ("created", JSON(.string(ISO8601.text(milliseconds: Int64(created * 1000))))),
    ])
  }
}
