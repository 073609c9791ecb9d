/// The reason a file with a secret is not read.
public enum SecretFileError: Error, Sendable, Hashable {
  /// The file does not exist.
  case missing
  /// It is a folder.
  case isFolder
  /// It is a named pipe, and reading could block forever.
  case isPipe
  /// It is a device such as `/dev/null`.
  case isDevice
  /// It is a socket.
  case isSocket
  /// It is empty.
  case empty
  /// It is larger than this limit, in bytes.
  case tooLarge(limit: Int)
  /// Its group or everyone may write to it, so another user may have planted the secret. `mode` is
  /// its permission bits.
  case writableByOthers(mode: UInt16)
  /// The system call failed with this `errno`.
  case system(Int32)
}
