internal import APNS

/// The additional parts of a request to manage channels, or of a push to one.
///
/// It is a class so that pushes to devices, which are far more numerous, carry only a nil pointer.
final class ChannelPart {
  /// The call on the channels; nil for a push, and if the request is invalid.
  let call: ChannelCall?
  /// The channel it names, as written; nil if it names none.
  let channel: String?
  /// The channels' reply; nil before the call.
  var reply: ChannelReply?

  init(call: ChannelCall? = nil, channel: String?) {
    (self.call, self.channel) = (call, channel)
  }

  /// The body of the reply; nil if the answer has another status than the reply.
  func body(with status: Status) -> [UInt8]? { reply?.status == status ? reply?.bytes : nil }
}
