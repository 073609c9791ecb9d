internal import POSIX
internal import Synchronization

/// Copies a list that can be read only once, byte by byte while it is read, so that a run can be
/// resumed that has it. The files are their owner's alone (0600).
///
/// What is read before ``keep(at:)`` goes to a file without a name, which is gone when this process
/// is. A kept file is called `….part` until the list was read to its end; then it is on the disk for
/// good, with its fingerprint beside it in `….print`.
///
/// A copy that cannot be written does not keep the list from being read.
public final class Spool: Sendable {
  static let partSuffix = ".part"
  static let printSuffix = ".print"

  private struct State {
    var descriptor: Int32 = -1
    var path: String?
    var isWhole = false
    var failure: Int32?
  }

  private let scratchFolder: String
  private let report: @Sendable (Int32) -> Void
  private let state = Mutex(State())

  /// A copy of what is still to be read.
  ///
  /// - Parameters:
  ///   - scratchFolder: where there is room for what is read before it is kept.
  ///   - report: is told, once, the `errno` of what went wrong, on the thread that reads or keeps.
  public init(scratchFolder: String, report: @escaping @Sendable (Int32) -> Void = { _ in }) {
    self.scratchFolder = scratchFolder
    self.report = report
  }

  deinit { state.withLock { if $0.descriptor >= 0 { POSIX.close($0.descriptor) } } }

  /// The `errno` of what went wrong; nil while all of it could be written.
  public var failure: Int32? { state.withLock { $0.failure } }

  /// Adds what was read.
  func write(_ bytes: UnsafeRawBufferPointer) {
    perform { (state: inout State) throws(Failed) in
      if state.descriptor < 0 { state.descriptor = try openScratch() }
      try Self.write(bytes, to: state.descriptor)
    }
  }

  /// The list was read to its end, or as far as anybody will ever want to read it.
  func close() {
    perform { (state: inout State) throws(Failed) in
      if state.isWhole { return }
      state.isWhole = true
      try Self.finish(state)
    }
  }

  /// A descriptor that reads what was written, from its start: for one reader at a time. It stays good
  /// when the copy gets a name.
  ///
  /// - Returns: nil when nothing was written, or the system has no descriptor left.
  func descriptor() -> Int32? {
    state.withLock { state in
      let copy = fcntl(state.descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return nil }
      lseek(copy, 0, SEEK_SET)
      return copy
    }
  }

  /// Gives the copy a name, with all that was read so far. A list that is read once for several
  /// runs is kept for each.
  public func keep(at path: String) {
    perform { (state: inout State) throws(Failed) in
      let descriptor = try Self.create(path + Self.partSuffix)
      let earlier = state.descriptor
      (state.descriptor, state.path) = (descriptor, path)
      if earlier >= 0 {
        defer { POSIX.close(earlier) }
        try Self.copy(earlier, to: descriptor)
      }
      try Self.finish(state)
    }
  }

  /// Gives a copy that is whole and kept its name for good.
  private static func finish(_ state: State) throws(Failed) {
    guard state.isWhole, let path = state.path else { return }
    guard let fingerprint = ListFingerprint(descriptor: state.descriptor) else { throw Failed() }
    try writePrint(fingerprint, of: path)
    try sync(state.descriptor)
    try rename(path + partSuffix, path)
    try syncFolder(of: path)
  }

  private static func writePrint(
    _ fingerprint: ListFingerprint, of path: String
  ) throws(Failed) {
    let descriptor = try create(path + printSuffix)
    defer { POSIX.close(descriptor) }
    try Array(fingerprint.text.utf8).withUnsafeBytes { bytes in
      Result { () throws(Failed) in try write(bytes, to: descriptor) }
    }.get()
    try sync(descriptor)
  }

  private static func sync(_ descriptor: Int32) throws(Failed) {
    // A file system that cannot do it has nothing to wait for.
    if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw Failed() }
  }

  private static func syncFolder(of path: String) throws(Failed) {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failed() }
    defer { POSIX.close(descriptor) }
    try sync(descriptor)
  }

  private struct Failed: Error { var code = errno }

  /// Does it unless something went wrong before. What is not whole any more is of no use.
  private func perform(_ body: (inout State) throws(Failed) -> Void) {
    let failure = state.withLock { state -> Int32? in
      guard state.failure == nil else { return nil }
      do throws(Failed) {
        try body(&state)
        return nil
      } catch {
        state.failure = error.code
        if let path = state.path { ListCopy.remove(at: path) }
        return error.code
      }
    }
    if let failure { report(failure) }
  }

  private func openScratch() throws(Failed) -> Int32 {
    var name = Array((scratchFolder + "/fanfare-list-XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw Failed() }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func create(_ path: String) throws(Failed) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failed() }
    return descriptor
  }

  private static func rename(_ path: String, _ newPath: String) throws(Failed) {
    if POSIX.rename(path, newPath) != 0 { throw Failed() }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(Failed) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = POSIX.write(file, part.baseAddress, part.count)
      if count < 0, errno != EINTR { throw Failed() }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private static func copy(_ file: Int32, to target: Int32) throws(Failed) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)
    defer { block.deallocate() }
    var offset: off_t = 0
    while true {
      let count = pread(file, block.baseAddress, block.count, offset)
      if count < 0 { throw Failed() }
      if count == 0 { return }
      try write(UnsafeRawBufferPointer(rebasing: block[..<count]), to: target)
      offset += off_t(count)
    }
  }
}

extension Spool: Hashable {
  /// Whether both are one.
  public static func == (left: Spool, right: Spool) -> Bool { left === right }

  /// Tells one from the other.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
