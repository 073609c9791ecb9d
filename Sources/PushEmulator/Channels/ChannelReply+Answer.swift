internal import APNS

// A reply as it goes out (Apple: Sending channel management requests to APNs).
extension ChannelReply {
  /// The status.
  var status: Status {
    switch self {
    case .created: .created
    case .details, .channels: .accepted
    case .deleted: .noContent
    }
  }

  /// The answer's `apns-channel-id`; nil without one.
  var channel: ChannelID? { if case .created(let id) = self { id } else { nil } }

  /// The body; empty where there is none.
  var bytes: [UInt8] {
    switch self {
    case .created, .deleted: []
    case .details(let policy): (policy ?? .nothing).channelJSON
    // A channel ID has no character that JSON escapes but the slash, which it need not.
    case .channels(let ids):
      Array(#"{"channels":[\#(ids.map { "\"\($0.text)\"" }.joined(separator: ","))]}"#.utf8)
    }
  }
}
