/// Why an emulator did not start.
public enum EmulatorError: Error, Sendable, Hashable {
  /// The port cannot be had: the system call that failed, and its `errno`.
  case port(UInt16, call: String, code: Int32)
  /// The address to listen on is not a numeric one.
  case address(String)
  /// The journal cannot be opened: its path, and `errno`. A symbolic link is refused.
  case journal(code: Int32)
  /// OpenSSL could not make the certificates: the call that failed, and OpenSSL's own words.
  case certificates(call: String, detail: String)
  /// The process has no descriptors left.
  case outOfDescriptors
  /// The system has no thread left.
  case outOfThreads
}
