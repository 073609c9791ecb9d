internal import POSIX
internal import PlainText
internal import Reporting

/// The reason another user could have written a file.
enum OwnershipFault: Equatable {
  /// A file or folder belongs to another user, other than root.
  case owner(path: String, user: UInt32)
  /// Group or others may write to a file or folder.
  case writable(path: String, mode: UInt16)

  /// Checks a file and its folder; for a link, its target and that folder too. Nil when only the
  /// user and root can write to them.
  init?(of path: String) {
    let real = realPath(path) ?? path
    let places = [path, parentFolder(of: path), parentFolder(of: real)]
    guard let fault = places.lazy.compactMap(Self.init(at:)).first else { return nil }
    self = fault
  }

  private init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_uid != geteuid(), status.st_uid != 0 {
      self = .owner(path: path, user: status.st_uid)
    } else if status.st_mode & 0o022 != 0 {
      self = .writable(path: path, mode: UInt16(truncatingIfNeeded: status.st_mode & 0o7777))
    } else {
      return nil
    }
  }

  var clause: String {
    switch self {
    case .owner(let path, let user): "\(path.printable) belongs to another user (\(user))"
    case .writable(let path, let mode):
      "\(path.printable) is writable by other users (mode \(octal(mode)))"
    }
  }

  /// The command that fixes it.
  var cure: String {
    switch self {
    case .owner(let path, _): "chown \(geteuid()) \(shellWord(path))"
    case .writable(let path, _): "chmod go-w \(shellWord(path))"
    }
  }
}
