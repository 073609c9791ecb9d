internal import APNS

/// What a request about channels, or a push to one, has beside what every request has.
///
/// A class, because pushes to devices, of which there are so many more, carry only that there is none.
final class ChannelPart: Sendable {
  /// What is asked of the channels; nil in a push to one, and where that cannot be told.
  let call: ChannelCall?
  /// The channel that it names, as written; nil when it names none.
  let channel: String?

  init(call: ChannelCall? = nil, channel: String?) {
    (self.call, self.channel) = (call, channel)
  }
}
