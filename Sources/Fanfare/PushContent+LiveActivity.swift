public import APNS
internal import JSONText

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PushContent {
  /// Updates or ends a Live Activity.
  ///
  /// - Parameters:
  ///   - event: `.update` or `.end`.
  ///   - state: the content state, which the app decodes with Swift's defaults.
  ///   - time: the time of the state: of several, the device shows the newest. Apple's answer says
  ///     nothing when it is missing or old.
  ///   - staleAt: the time at which the app is told that the state is out of date.
  ///   - dismissAt: the time at which an ended activity leaves the Lock Screen; nil for up to four
  ///     hours, a time in the past for at once.
  ///   - relevanceScore: its place among the app's activities; the highest is in the Dynamic Island.
  ///   - alert: lights up the screen with it.
  ///   - encoder: encodes the state; nil for the one that the app's decoding expects.
  /// - Throws: `EncodingError`.
  public static func liveActivity(
    _ event: ActivityEvent, state: some Encodable, at time: Date = Date(), staleAt: Date? = nil,
    dismissAt: Date? = nil, relevanceScore: Double? = nil, alert: ActivityAlert? = nil,
    encoder: JSONEncoder? = nil
  ) throws -> PushContent {
    var aps = JSONObject()
    aps["timestamp"] = time.json
    aps["event"] = JSON(.string(event.rawValue))
    aps["content-state"] = try JSON(encoding: state, with: encoder)
    aps.add("stale-date", staleAt?.json)
    aps.add("dismissal-date", dismissAt?.json)
    aps.add("relevance-score", relevanceScore)
    aps.add("alert", alert?.json)
    return PushContent(.liveactivity, aps: aps)
  }

  /// Starts a Live Activity on a device.
  ///
  /// - Parameters:
  ///   - type: the name of the app's type of attributes, such as `RideAttributes`.
  ///   - attributes: the attributes, which never change.
  ///   - state: the first content state.
  ///   - alert: tells the user of it.
  ///   - updates: where its updates come from; nil when the app takes care of that.
  ///   - time: the time of the state.
  ///   - staleAt: the time at which the app is told that the state is out of date.
  ///   - encoder: encodes attributes and state; nil for the one that the app's decoding expects.
  /// - Throws: `EncodingError`.
  public static func liveActivityStart(
    _ type: String, attributes: some Encodable, state: some Encodable, alert: ActivityAlert,
    updates: ActivityUpdates? = nil, at time: Date = Date(), staleAt: Date? = nil,
    encoder: JSONEncoder? = nil
  ) throws -> PushContent {
    let attributes = try JSON(encoding: attributes, with: encoder)
    let start = try liveActivity(
      .start, state: state, at: time, staleAt: staleAt, alert: alert, encoder: encoder
    ).addingToAPS("attributes-type", JSON(.string(type))).addingToAPS("attributes", attributes)
    return updates.map { start.addingToAPS($0.key, $0.value) } ?? start
  }
}

extension PushContent {
  /// What happens to a Live Activity. An open set.
  public struct ActivityEvent: RawRepresentable, Sendable, Hashable {
    /// The word in the payload.
    public let rawValue: String

    /// Creates an event.
    public init(rawValue: String) { self.rawValue = rawValue }

    static let start = Self(rawValue: "start")
    /// It has a new state.
    public static let update = Self(rawValue: "update")
    /// It ends, with its last state.
    public static let end = Self(rawValue: "end")
  }

  /// Where a started Live Activity gets its updates from. An open set.
  public struct ActivityUpdates: Sendable, Hashable {
    let key: String
    let value: JSON

    /// The device makes a token for it, which the app sends to its server.
    public static let token = Self(key: "input-push-token", value: 1)

    /// It follows a broadcast channel.
    public static func channel(_ channel: ChannelID) -> Self {
      Self(key: "input-push-channel", value: "\(channel.text)")
    }
  }

  /// An alert that comes with a Live Activity.
  public struct ActivityAlert: Sendable, Hashable {
    let json: JSON

    /// Creates an alert.
    ///
    /// - Parameters:
    ///   - title: the title, which the watch shows.
    ///   - body: the text, which the watch shows.
    ///   - sound: the sound; nil makes none.
    public init(title: String, body: String, sound: Sound? = nil) {
      self.init("\(title)", "\(body)", sound)
    }

    /// Creates an alert with texts that the device takes from the app.
    public init(title: LocalizedText, body: LocalizedText, sound: Sound? = nil) {
      self.init(title.json, body.json, sound)
    }

    private init(_ title: JSON, _ body: JSON, _ sound: Sound?) {
      var alert = JSONObject()
      alert["title"] = title
      alert["body"] = body
      alert.add("sound", sound?.json)
      json = JSON(.object(alert))
    }
  }
}

extension Date {
  /// Whole seconds since 1970, as payloads have times.
  fileprivate var json: JSON { JSON(.number(JSONNumber(wholeSeconds))) }
}
