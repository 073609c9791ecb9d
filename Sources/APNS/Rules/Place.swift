import PlainText

/// The part of a notification that a problem is about.
public enum Place: Sendable, Hashable, CustomStringConvertible {
  /// The header of this name.
  case header(String)
  /// The value at this path in the payload; the empty path is the whole payload.
  case payload(PayloadPath)
  /// Anything else, by a path that the caller defines, such as `recipients[2]`.
  case other(String)

  /// The place as text: `header apns-priority`, `aps.sound.volume`, or `payload` for all of it.
  public var description: String {
    switch self {
    case .header(let name): "header " + printable(name)
    case .payload(let path): path.steps.isEmpty ? "payload" : path.description
    case .other(let path): path.printable
    }
  }
}
