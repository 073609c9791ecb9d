public import APNS
internal import JSONText

/// A filter for received pushes. All conditions that are set must match; nil matches anything.
public struct PushFilter: Sendable, Hashable {
  /// The whole device token, ignoring case.
  public var token: String?
  /// The whole channel ID.
  public var channel: String?
  /// The topic.
  public var topic: String?
  /// The push type, as judged.
  public var pushType: String?
  /// The status of the answer.
  public var status: Int?
  /// The reason of the answer.
  public var reason: Reason?
  /// A text in the payload, the `apns-` headers, the token, the channel, the reason or the note,
  /// ignoring case.
  public var text: String?

  /// Creates a filter that matches every push.
  public init() {}

  /// Returns true if all conditions match.
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
  /// The push type as judged, or else as written.
  var typeText: String? {
    let judged = isBroadcast ? judgedPushType : nil
    return judged?.rawValue ?? pushType ?? judgedPushType?.rawValue
  }
}

extension ReceivedPush {
  /// The topic of the header, or else of the certificate; nil if there is none.
  public var topic: String? { request.topic }

  /// The push type as judged: from the header, or else inferred from topic or payload; nil for a
  /// request to manage channels. For a push to a channel, the header's case is ignored.
  public var pushType: String? {
    guard let shape = request.head?.shape, shape.kind != .channel else { return nil }
    return shape.draft.pushType == nil ? request.draft.typeText : shape.draft.typeText
  }

  /// Returns true if the push contains a text, ignoring case.
  func contains(_ text: String) -> Bool {
    let wanted = SearchText(text)
    let texts = [token, channel, request.bundleID, apnsID, requestID, reason?.rawValue, note]
    return texts.contains { $0.map(wanted.occurs) ?? false }
      || request.fields.contains { wanted.occurs(in: $0.value) }
      || wanted.occurs(in: readablePayload)
  }

  /// The payload with as few escapes as possible.
  private var readablePayload: [UInt8] {
    let body = request.body
    guard body.contains(UInt8(ascii: "\\")) else { return body }
    return DraftPayload(reading: body).json?.encoded(.wire) ?? body
  }
}

/// A text to search for, ignoring case. Thousands of pushes may be searched at once, so an ASCII
/// text, the usual case, is compared byte by byte.
private struct SearchText {
  private let text: String
  private let bytes: [UInt8]
  private let isASCII: Bool

  init(_ text: String) {
    self.text = text.lowercased()
    bytes = Array(self.text.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  func occurs(in other: String) -> Bool {
    guard isASCII else { return other.lowercased().contains(text) }
    var other = other
    return other.withUTF8(isFound)
  }

  func occurs(in other: [UInt8]) -> Bool {
    isASCII
      ? other.withUnsafeBufferPointer(isFound) : occurs(in: String(decoding: other, as: UTF8.self))
  }

  private func isFound(in other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    guard other.count >= bytes.count else { return false }
    return (0...(other.count - bytes.count)).contains { start in
      other[start].lowercased == first
        && bytes.indices.allSatisfy { other[start + $0].lowercased == bytes[$0] }
    }
  }
}

extension UInt8 {
  /// The lowercase letter; other bytes are unchanged.
  fileprivate var lowercased: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }
}
