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
  /// To a function, a request at a time. It is called by the connections' threads, one at a time.
  case entries(@Sendable (ReceivedPush) -> Void)
}

/// Takes the entries of all connections. A connection hands over what it has before it sends the
/// answers, so that a client that has an answer finds it in the journal.
final class Journal: Sendable {
  /// A failure of the system: the call's `errno`.
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

  /// Whether anything is done with the requests.
  let isWanted: Bool
  /// The inbox that gets them too; nil without one.
  let inbox: ReceivedPushes?
  private let state: Mutex<State>
  private let failed: @Sendable (Int32) -> Void

  /// Opens a journal.
  ///
  /// - Parameter failed: is told the `errno` of the first write that fails, on the thread that writes.
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

  /// The `errno` of the first write that failed; nil when none did.
  var failure: Int32? { state.withLock { $0.failure } }

  /// Numbers requests, writes them, and forgets them.
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
