internal import APNS

// The reply as sent (Apple: Sending channel management requests to APNs).
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

  /// The body; empty if there is none.
  var bytes: [UInt8] {
    switch self {
    case .created, .deleted: []
    case .details(let policy): (policy ?? .nothing).channelJSON
    // The only character of a channel ID that JSON may escape is the slash, and that is optional.
    case .channels(let ids):
      Array(#"{"channels":[\#(ids.map { "\"\($0.text)\"" }.joined(separator: ","))]}"#.utf8)
    }
  }
}
