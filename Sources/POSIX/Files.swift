/// Makes a system call until no signal interrupts it.
public func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

extension stat {
  /// The file's modification time, in nanoseconds since 1970 UTC; clamped to what fits, which is
  /// from 1677 to 2262.
  public var modifiedNanoseconds: Int64 {
    #if os(macOS)
    let time = st_mtimespec
    #else
    let time = st_mtim
    #endif
    return time.nanoseconds
  }
}

extension timespec {
  /// The whole time in nanoseconds; clamped to what fits.
  public var nanoseconds: Int64 {
    let (whole, isTooFar) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isOver) = whole.addingReportingOverflow(Int64(tv_nsec))
    return isTooFar || isOver ? (tv_sec < 0 ? .min : .max) : sum
  }

  /// The time in milliseconds; clamped to the years 0 to 9999.
  public var milliseconds: Int64 {
    let seconds = min(max(Int64(tv_sec), -62_167_219_200), 253_402_300_799)
    return seconds * 1000 + Int64(tv_nsec) / 1_000_000
  }
}

/// A folder that could not be created.
public struct FolderFault: Error {
  /// The path of the folder.
  public let path: String
  /// The error code from the system.
  public let errno: Int32
}

/// Creates the missing folders on the way to a file.
///
/// - Parameters:
///   - path: the file's path.
///   - mode: the permissions of new folders.
///   - made: called for each new folder, with its parent.
/// - Throws: `FolderFault` for the first folder that cannot be created.
public func makeFolders(
  of path: String, mode: mode_t, made: (_ folder: String, _ parent: String) -> Void = { _, _ in }
) throws(FolderFault) {
  let bytes = path.utf8
  let ends = bytes.indices.dropFirst().filter { bytes[$0] == UInt8(ascii: "/") }
  // They nearly always exist already.
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

/// The names of all entries in a folder, `.` and `..` included, in no particular order.
///
/// - Returns: nil when the folder cannot be read, with the reason in `errno`.
public func names(inFolder path: String) -> [String]? {
  guard let stream = opendir(path) else { return nil }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    // Read in place: a copy would read past the entry, which is only as long as its name needs.
    names.append(
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names
}
