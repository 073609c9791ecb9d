internal import JSONText
internal import POSIX
internal import Synchronization

/// Where the journal goes.
public enum JournalDestination: Sendable {
  /// Nowhere.
  case none
  /// To the end of a file, one JSON object a line. The file is made, and kept, readable by its
  /// owner alone.
  case file(String)
  /// To a function, an entry at a time. It is called by the connections' threads, one at a time.
  case entries(@Sendable (JournalEntry) -> Void)
}

/// Takes the entries of all connections. A connection hands over what it has before it sends the
/// answers, so that a client that has an answer finds it in the journal.
final class Journal: Sendable {
  /// A failure of the system: the call's `errno`.
  struct Failure: Error { let code: Int32 }

  fileprivate enum Sink {
    case nowhere
    case file(OpenFile)
    case function(@Sendable (JournalEntry) -> Void)
  }

  fileprivate struct State {
    var sink: Sink
    var writer = JSONWriter()
    var failure: Int32?
  }

  /// Whether anybody reads the entries.
  let isWanted: Bool
  private let state: Mutex<State>
  private let failed: @Sendable (Int32) -> Void

  /// Opens a journal.
  ///
  /// - Parameter failed: is told the `errno` of the first write that fails, on the thread that writes.
  init(
    _ destination: JournalDestination, failed: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws(Failure) {
    self.failed = failed
    switch destination {
    case .none:
      isWanted = false
      state = Mutex(State(sink: .nowhere))
    case .file(let path):
      isWanted = true
      state = Mutex(State(sink: .file(try OpenFile(path))))
    case .entries(let function):
      isWanted = true
      state = Mutex(State(sink: .function(function)))
    }
  }

  /// The `errno` of the first write that failed; nil when none did.
  var failure: Int32? { state.withLock { $0.failure } }

  /// Writes entries, and forgets them.
  func write(_ entries: inout [JournalEntry]) {
    guard !entries.isEmpty else { return }
    let firstFailure = state.withLock { state -> Int32? in
      let before = state.failure
      state.write(entries)
      return before == nil ? state.failure : nil
    }
    entries.removeAll(keepingCapacity: true)
    if let firstFailure { failed(firstFailure) }
  }
}

extension Journal.State {
  fileprivate mutating func write(_ entries: [JournalEntry]) {
    switch sink {
    case .nowhere: break
    case .function(let function): entries.forEach(function)
    case .file(let file):
      writer.removeAll()
      for entry in entries { entry.write(to: &writer) }
      if let code = file.append(writer.bytes) { failure = failure ?? code }
    }
  }
}

/// The one owner of a descriptor that is written at its end.
private final class OpenFile: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws(Journal.Failure) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw .init(code: errno) }
    // A device such as /dev/null is everybody's.
    guard !isPlain || fchmod(descriptor, 0o600) == 0 else { throw .init(code: errno) }
  }

  private var isPlain: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes lines; the `errno` when that fails. Then there are whole lines only.
  func append(_ bytes: [UInt8]) -> Int32? {
    bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !rest.isEmpty {
        let count = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno != EINTR {
          defer { takeBackHalfLine(all[..<rest.startIndex]) }
          return errno
        }
        rest = rest.dropFirst(max(0, count))
      }
      return nil
    }
  }

  private func takeBackHalfLine(_ written: Slice<UnsafeRawBufferPointer>) {
    let lines = written.lastIndex(of: 0x0A).map { $0 + 1 } ?? written.startIndex
    var status = stat()
    guard lines < written.endIndex, isPlain, fstat(descriptor, &status) == 0 else { return }
    ftruncate(descriptor, status.st_size - off_t(written.endIndex - lines))
  }
}
