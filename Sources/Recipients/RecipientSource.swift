public import APNS

/// Where recipients come from.
public enum RecipientSource: Sendable, Hashable {
  /// Device tokens that were given one by one, and what they are called in results.
  case tokens([DeviceToken], name: String = "--to")
  /// A broadcast channel, which gets one push, and what it is called in results.
  case channel(String, name: String = "--channel")
  /// A list in a file or a pipe. Its name tells the ``ListFormat``.
  case file(String)
  /// A list on standard input.
  case standardInput
  /// The copy of a list that could be read only once.
  case copy(ListCopy)
  /// Pushes of an earlier run that are sent again.
  case resent(ResentList)

  /// The name shown for it: the path, `-`, or what was given.
  public var name: String {
    switch self {
    case .tokens(_, let name), .channel(_, let name): name
    case .file(let path): path
    case .standardInput: "-"
    case .copy(let copy): copy.name
    case .resent(let list): list.name
    }
  }

  /// The broadcast channel; nil when it holds device tokens.
  public var channel: String? {
    switch self {
    case .channel(let id, _): id
    case .resent(let list): list.channel
    case .tokens, .file, .standardInput, .copy: nil
    }
  }
}
