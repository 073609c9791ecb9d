internal import POSIX
internal import Synchronization

/// Copies a list that can be read only once, byte for byte while it is read, so that its run can be
/// resumed. Only the owner may read the files (0600).
///
/// Bytes read before ``keep(at:)`` go to an unnamed file that disappears with this process. A kept
/// file is called `….part` until the list is read to its end; it is then synced to disk, with its
/// fingerprint beside it in `….print`.
///
/// A copy that cannot be written does not stop the list from being read.
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

  /// Creates a spool for a list that is yet to be read.
  ///
  /// - Parameters:
  ///   - scratchFolder: the folder for the bytes read before the copy is kept.
  ///   - report: called once with the `errno` of a failure, on the thread that reads or keeps.
  public init(scratchFolder: String, report: @escaping @Sendable (Int32) -> Void = { _ in }) {
    self.scratchFolder = scratchFolder
    self.report = report
  }

  deinit { state.withLock { if $0.descriptor >= 0 { POSIX.close($0.descriptor) } } }

  /// The `errno` of a failure; nil while everything could be written.
  public var failure: Int32? { state.withLock { $0.failure } }

  /// Appends bytes that were read.
  func write(_ bytes: UnsafeRawBufferPointer) {
    perform { (state: inout State) throws(Failed) in
      if state.descriptor < 0 { state.descriptor = try openScratch() }
      try Self.write(bytes, to: state.descriptor)
    }
  }

  /// Removes the copy: the list is read on without one.
  ///
  /// - Parameter code: the reason as an `errno`.
  package func giveUp(_ code: Int32) {
    perform { (_: inout State) throws(Failed) in throw Failed(code: code) }
  }

  /// Removes the bytes written so far.
  func empty() { state.withLock { _ = ftruncate($0.descriptor, 0) } }

  /// Notes that the list was read to its end, or as far as it ever will be.
  func close() {
    perform { (state: inout State) throws(Failed) in
      if state.isWhole { return }
      state.isWhole = true
      try Self.finish(state)
    }
  }

  /// Returns a descriptor that reads the copy from its start, for one reader at a time. It stays
  /// valid when the copy gets a name.
  ///
  /// - Returns: nil when nothing was written, or no descriptor is left.
  func descriptor() -> Int32? {
    state.withLock { state in
      let copy = fcntl(state.descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return nil }
      lseek(copy, 0, SEEK_SET)
      return copy
    }
  }

  /// Gives the copy a name, with everything read so far. A list read once for several runs is kept
  /// for each.
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

  /// Gives a kept copy its final name once it is whole.
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
    // A file system that cannot sync leaves nothing to wait for.
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

  /// Runs the body unless something failed before: a copy with a gap is useless.
  private func perform(_ body: (inout State) throws(Failed) -> Void) {
    let failure = state.withLock { state -> Int32? in
      guard state.failure == nil else { return nil }
      do throws(Failed) {
        try body(&state)
        return nil
      } catch {
        state.failure = error.code
        if let path = state.path { ListCopy.remove(at: path) }
        // Only then is its room free.
        if state.descriptor >= 0 { POSIX.close(state.descriptor) }
        state.descriptor = -1
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
      let count = uninterrupted { pread(file, block.baseAddress, block.count, offset) }
      if count < 0 { throw Failed() }
      if count == 0 { return }
      try write(UnsafeRawBufferPointer(rebasing: block[..<count]), to: target)
      offset += off_t(count)
    }
  }
}

extension Spool: Hashable {
  /// Two spools are equal when they are the same object.
  public static func == (left: Spool, right: Spool) -> Bool { left === right }

  /// Hashes the spool's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
