public import APNS
internal import JSONText

/// Which of the received pushes are meant: those of which everything holds that is said. Nil says
/// nothing.
public struct PushFilter: Sendable, Hashable {
  /// The whole device token, in either case.
  public var token: String?
  /// The whole ID of the channel.
  public var channel: String?
  /// The topic.
  public var topic: String?
  /// The push type, as it was judged.
  public var pushType: String?
  /// The status of the answer.
  public var status: Int?
  /// The reason of the answer.
  public var reason: Reason?
  /// Text that occurs in the payload, the headers, the token, the channel or the note, in either case.
  public var text: String?

  /// Every push.
  public init() {}

  /// Whether everything holds for a push.
  public func matches(_ push: ReceivedPush) -> Bool {
    wants(token?.lowercased(), push.token?.lowercased()) && wants(channel, push.channel)
      && wants(status, push.status)
      && wants(reason, push.reason) && wants(topic, push.topic)
      && wants(pushType, push.pushType) && (text.map(push.contains) ?? true)
  }

  private func wants<Value: Equatable>(_ wanted: Value?, _ value: @autoclosure () -> Value?) -> Bool
  {
    wanted == nil || wanted == value()
  }
}

extension Draft {
  /// The push type as it was judged, or else as it was written.
  var typeText: String? {
    let judged = isBroadcast ? judgedPushType : nil
    return judged?.rawValue ?? pushType ?? judgedPushType?.rawValue
  }
}

extension ReceivedPush {
  /// The topic, of the header or else of the certificate; nil when there is none.
  public var topic: String? { request.topic }

  /// The push type as it was judged: that of the header, or else the one that topic or payload tell;
  /// nil for a request to manage channels. The header of a push to a channel may be in any case.
  public var pushType: String? {
    guard let shape = request.head?.shape, shape.kind != .channel else { return nil }
    return shape.draft.pushType == nil ? request.draft.typeText : shape.draft.typeText
  }

  /// Whether a text occurs in it, in either case.
  func contains(_ text: String) -> Bool {
    let wanted = text.lowercased()
    return searchableTexts.contains { $0.lowercased().contains(wanted) }
  }

  private var searchableTexts: [String] {
    [token, channel, request.bundleID, apnsID, requestID, reason?.rawValue, note]
      .compactMap(\.self)
      + request.fields.map(\.value) + [payloadText]
  }

  /// The payload with as few escapes as can be.
  private var payloadText: String {
    let (text, body) = (String(decoding: request.body, as: UTF8.self), request.body)
    guard body.contains(UInt8(ascii: "\\")), let json = DraftPayload(reading: body).json else {
      return text
    }
    return json.encodedString(.wire)
  }
}
