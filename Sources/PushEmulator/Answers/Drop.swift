/// How a connection is ended without GOAWAY.
public enum Drop: String, Sendable, Hashable, CaseIterable {
  /// With a TCP reset.
  case rst
  /// With FIN, and no word from TLS: what a proxy does.
  case fin
  /// With TLS's close_notify, then FIN.
  case closeNotify
  /// With TLS's close_notify alone: the TCP connection stays open until the client closes it.
  case closeNotifyOnly
}

/// How long a connection neither reads nor sends; nil milliseconds have no end.
struct Freeze { let milliseconds: Int? }
