public import APNS

/// A source of recipients.
public enum RecipientSource: Sendable, Hashable {
  /// Individual device tokens, and their name in results.
  case tokens([DeviceToken], name: String = "--to")
  /// A broadcast channel, which gets one push, and its name in results.
  case channel(String, name: String = "--channel")
  /// A list in a file or a pipe. Its name determines the ``ListFormat``.
  case file(String)
  /// A list on standard input.
  case standardInput
  /// The copy of a list that could be read only once.
  case copy(ListCopy)
  /// Pushes of an earlier run to send again.
  case resent(ResentList)

  /// The name to show: the path, `-`, or the given name.
  public var name: String {
    switch self {
    case .tokens(_, let name), .channel(_, let name): name
    case .file(let path): path
    case .standardInput: "-"
    case .copy(let copy): copy.name
    case .resent(let list): list.name
    }
  }

  /// The broadcast channel; nil when the source holds device tokens.
  public var channel: String? {
    switch self {
    case .channel(let id, _): id
    case .resent(let list): list.channel
    case .tokens, .file, .standardInput, .copy: nil
    }
  }
}
