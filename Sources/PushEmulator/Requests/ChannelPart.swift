internal import APNS

/// What a request about channels, or a push to one, has beside what every request has.
///
/// A class, because pushes to devices, of which there are so many more, carry only that there is
/// none.
final class ChannelPart {
  /// What is asked of the channels; nil in a push to one, and where that cannot be told.
  let call: ChannelCall?
  /// The channel that it names, as written; nil when it names none.
  let channel: String?
  /// What the channels replied when they were asked; nil while they were not.
  var reply: ChannelReply?

  init(call: ChannelCall? = nil, channel: String?) {
    (self.call, self.channel) = (call, channel)
  }

  /// The body that tells of the reply; nil for an answer with another status than the reply's.
  func body(with status: Status) -> [UInt8]? { reply?.status == status ? reply?.bytes : nil }
}
