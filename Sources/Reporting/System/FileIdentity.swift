internal import POSIX

/// The identity of a file, equal for paths that lead to one file: the same plain file under any
/// name or link, or the same name in the same folder for a file that does not exist yet.
package enum FileIdentity: Hashable {
  case plain(Node)
  case missing(name: String, folder: Node)

  /// The device and inode of a file or folder.
  package struct Node: Hashable {
    fileprivate let device: UInt64
    fileprivate let inode: UInt64

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// The file at a path, or standard input for `-`. Nil for a pipe, a device or a folder, and in a
  /// folder that does not exist.
  package init?(_ path: String) {
    var status = stat()
    if path == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self = .plain(Node(status))
    } else {
      let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
      guard stat(parentFolder(of: path), &status) == 0 else { return nil }
      self = .missing(name: String(path[end...]), folder: Node(status))
    }
  }
}

/// Compares two paths, which need not exist yet, by the files they lead to.
package func areSameFile(_ path: String, _ other: String) -> Bool {
  guard let file = FileIdentity(path) else { return path == other && !fileExists(path) }
  return file == FileIdentity(other)
}
