internal import JSONText
internal import POSIX
internal import Synchronization

/// The destination of the journal.
public enum JournalDestination: Sendable {
  /// No journal.
  case none
  /// A file to append to, one JSON object per line. It is created, or made, readable only by its
  /// owner.
  case file(String)
  /// A function, called with one request at a time on the connections' threads.
  case entries(@Sendable (ReceivedPush) -> Void)
}

/// Collects the entries of all connections. A connection writes its entries before it sends the
/// answers, so a client that has an answer finds it in the journal.
final class Journal: Sendable {
  /// A failed system call with its `errno`.
  struct Failure: Error { let code: Int32 }

  fileprivate enum Sink {
    case nowhere
    case file(OpenFile)
    case function(@Sendable (ReceivedPush) -> Void)
  }

  fileprivate struct State {
    var sink: Sink
    var writer = JSONWriter()
    var failure: Int32?
    /// The number of the last request.
    var last = 0
  }

  /// The entries are used by a journal or an inbox.
  let isWanted: Bool
  /// The inbox that also receives the entries; nil without one.
  let inbox: ReceivedPushes?
  private let state: Mutex<State>
  private let failed: @Sendable (Int32) -> Void

  /// Opens a journal.
  ///
  /// - Parameter failed: called with the `errno` of the first failed write, on the writing thread.
  init(
    _ destination: JournalDestination, inbox: ReceivedPushes? = nil,
    failed: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws(Failure) {
    self.failed = failed
    self.inbox = inbox
    let sink = try Sink(destination)
    state = Mutex(State(sink: sink))
    if case .nowhere = sink { isWanted = inbox != nil } else { isWanted = true }
  }

  /// The `errno` of the first failed write; nil if none failed.
  var failure: Int32? { state.withLock { $0.failure } }

  /// Numbers requests, writes them, and empties the array.
  func write(_ pushes: inout [ReceivedPush]) {
    guard !pushes.isEmpty else { return }
    let firstFailure = state.withLock { state -> Int32? in
      let before = state.failure
      state.number(&pushes)
      state.write(pushes)
      inbox?.take(&pushes)
      return before == nil ? state.failure : nil
    }
    pushes.removeAll(keepingCapacity: true)
    if let firstFailure { failed(firstFailure) }
  }
}

extension Journal.State {
  fileprivate mutating func number(_ pushes: inout [ReceivedPush]) {
    for index in pushes.indices {
      last += 1
      pushes[index].id = last
    }
  }

  fileprivate mutating func write(_ pushes: [ReceivedPush]) {
    switch sink {
    case .nowhere: break
    case .function(let function): pushes.forEach(function)
    case .file(let file):
      writer.removeAll()
      for push in pushes {
        push.write(to: &writer)
        writer.endLine()
      }
      if let code = file.append(writer.bytes) { failure = failure ?? code }
    }
  }
}

extension Journal.Sink {
  fileprivate init(_ destination: JournalDestination) throws(Journal.Failure) {
    switch destination {
    case .none: self = .nowhere
    case .file(let path): self = .file(try OpenFile(path))
    case .entries(let function): self = .function(function)
    }
  }
}

/// The sole owner of a file opened for appending.
private final class OpenFile: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws(Journal.Failure) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw .init(code: errno) }
    // A device such as /dev/null belongs to everyone, so its mode is left alone.
    guard !isPlain || fchmod(descriptor, 0o600) == 0 else { throw .init(code: errno) }
  }

  private var isPlain: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends lines. Returns the `errno` on failure; the file then still ends in a whole line.
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
