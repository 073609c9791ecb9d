internal import POSIX
internal import PlainText

extension SecretFileError {
  /// The fault as the end of a sentence about the file, without a full stop.
  ///
  /// - Parameter purpose: what the file is to hold: `key`.
  package func clause(_ purpose: String) -> String {
    switch self {
    case .missing: "does not exist"
    case .isFolder: "is a folder"
    case .isPipe: "is a named pipe, and fanfare does not wait for those"
    case .isDevice: "is a device"
    case .isSocket: "is a socket"
    case .empty: "is empty"
    case .tooLarge(let limit): "is too long for a \(purpose): the limit is \(limit.grouped) bytes"
    case .writableByOthers(let mode): "is writable by other users (mode \(octal(mode)))"
    case .system(let code): "cannot be read: \(String(cString: strerror(code)))"
    }
  }
}

/// Permission bits in the notation of `chmod`.
package func octal(_ mode: UInt16) -> String {
  let digits = String(mode, radix: 8)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
