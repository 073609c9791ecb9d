/// The reason an emulator did not start.
public enum EmulatorError: Error, Sendable, Hashable {
  /// The port is unavailable: the system call that failed, and its `errno`.
  case port(UInt16, call: String, code: Int32)
  /// The address to listen on is not numeric.
  case address(String)
  /// The journal cannot be opened, with this `errno`. Symbolic links are refused.
  case journal(code: Int32)
  /// OpenSSL could not create the certificates: the call that failed, and OpenSSL's message.
  case certificates(call: String, detail: String)
  /// The process has no file descriptors left.
  case outOfDescriptors
  /// The system cannot create another thread.
  case outOfThreads
}
