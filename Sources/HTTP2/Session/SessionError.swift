internal import CNGHTTP2

/// Why a session ended by its own judgement: the peer broke the protocol, or memory ran out.
public struct SessionError: Error, Sendable, Hashable {
  /// nghttp2's code, for example -505.
  public var code: Int32

  /// nghttp2's name of the fault, in English.
  public var name: String

  init(_ code: Int) {
    self.code = Int32(clamping: code)
    name = String(cString: nghttp2_strerror(self.code))
  }
}
