extension stat {
  /// When the file was last written, in nanoseconds since 1970 UTC.
  public var modifiedNanoseconds: Int64 {
    #if os(macOS)
    let time = st_mtimespec
    #else
    let time = st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// A folder that could not be made.
public struct FolderFault: Error {
  /// The folder.
  public let path: String
  /// What the system said.
  public let errno: Int32
}

/// Makes the folders that a file is to be in, where they are missing.
///
/// - Parameters:
///   - path: the file's.
///   - mode: the permissions of new folders.
///   - made: called for each new folder, with the one that it is in.
/// - Throws: `FolderFault` at the first that cannot be made.
public func makeFolders(
  of path: String, mode: mode_t, made: (_ folder: String, _ parent: String) -> Void = { _, _ in }
) throws(FolderFault) {
  let bytes = path.utf8
  let ends = bytes.indices.dropFirst().filter { bytes[$0] == UInt8(ascii: "/") }
  // Nearly always they are all there.
  guard let last = ends.last, access(String(path[..<last]), F_OK) != 0 else { return }
  var parent = path.hasPrefix("/") ? "/" : "."
  for end in ends {
    let folder = String(path[..<end])
    defer { parent = folder }
    if access(folder, F_OK) == 0 { continue }
    if mkdir(folder, mode) == 0 {
      made(folder, parent)
    } else if errno != EEXIST {
      throw FolderFault(path: folder, errno: errno)
    }
  }
}
