/// Why a file with a secret in it is not read.
public enum SecretFileError: Error, Sendable, Hashable {
  /// There is no file of this name.
  case missing
  /// It is a folder.
  case isFolder
  /// It is a named pipe, which might be waited for in vain.
  case isPipe
  /// It is a device such as `/dev/null`.
  case isDevice
  /// It is a socket.
  case isSocket
  /// It has no bytes.
  case empty
  /// It has more bytes than this limit.
  case tooLarge(limit: Int)
  /// Its group or everybody may write to it, so that the secret may be another user's. The mode is
  /// its permission bits.
  case writableByOthers(mode: UInt16)
  /// The system refuses it, with this `errno`.
  case system(Int32)
}
