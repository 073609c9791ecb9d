internal import POSIX
internal import Synchronization

/// Standard output, standard error or a file, written through one buffer.
///
/// When the reader of a pipe has gone, output is dropped: printing stops, and the command goes on.
/// That is a failure for output that is required.
///
/// A terminal can have a status line at the bottom. It is erased before any other output, from any
/// thread, and redrawn below it.
package final class Output: Sendable {
  private struct State {
    var pending: [UInt8] = []
    /// The terminal shows progress of its own, such as in its tab.
    var showsProgress = false
    /// The status line; nil when there is none.
    var bottom: [UInt8]?
    /// No status line is drawn any more.
    var hasEnded = false
    var failure: Int32?
    /// The name of what must arrive; nil if the reader may leave early.
    var required: String?
  }

  private static let erasing = Array("\r\u{1b}[K".utf8)
  private static let bufferSize = 65_536

  private let descriptor: Int32
  private let closesDescriptor: Bool
  private let state = Mutex(State())

  /// A person reads it.
  package let isOnTerminal: Bool
  /// It is a terminal that understands escape sequences.
  package let isTerminal: Bool
  /// The colors and links that it takes.
  package let style: Style
  /// The terminal has a place of its own for progress.
  private let takesProgress: Bool

  /// - Parameters:
  ///   - environment: the variables that describe the terminal.
  ///   - color: the choice on the command line, which takes precedence over the variables.
  ///   - hyperlink: the choice on the command line, likewise.
  package init(
    descriptor: Int32, environment: [String: String] = [:], color: WhenChoice = .auto,
    hyperlink: WhenChoice = .auto, closesDescriptor: Bool = false
  ) {
    self.descriptor = descriptor
    self.closesDescriptor = closesDescriptor
    isOnTerminal = isatty(descriptor) == 1
    isTerminal = isOnTerminal && environment["TERM"] != "dumb"
    let facts = TerminalFacts(environment, isTerminal: isTerminal)
    style = Style(
      hasColor: color.isOn(auto: facts.hasColor), hasLinks: hyperlink.isOn(auto: facts.hasLinks))
    takesProgress = facts.takesProgress
  }

  deinit {
    flush()
    if closesDescriptor { close(descriptor) }
  }

  /// The `errno` of the first failed write. A reader that was gone is none, unless the output is
  /// required.
  package var failure: Int32? {
    state.withLock { $0.failure == EPIPE && $0.required == nil ? nil : $0.failure }
  }

  /// Makes it a failure if the reader leaves early.
  ///
  /// - Parameter purpose: the name of what is written, for the message.
  package func require(_ purpose: String) { state.withLock { $0.required = purpose } }

  /// The other end of the pipe, or the terminal, has gone.
  package var isReaderGone: Bool {
    // Linux always reports this; macOS only when asked for writability.
    var facts = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&facts, 1, 0) > 0 && facts.revents & Int16(POLLERR | POLLHUP) != 0
  }

  /// The width for sentences on the terminal; 80 when it is unknown.
  package var width: Int { min(columns ?? 80, 120) }

  /// The width for tables; unlimited without a terminal, or when it is unknown.
  package var tableWidth: Int { isTerminal ? columns ?? .max : .max }

  private var columns: Int? {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : nil
  }

  /// Appends text, which is written when the buffer is full or flushed.
  package func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in append(bytes) }
  }

  package func write(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

  /// Draws or replaces the status line, which must be narrower than the terminal; nil removes it.
  ///
  /// - Parameter percent: how much is done; nil when it is unknown.
  package func showBottom(_ line: String?, percent: Int? = nil) {
    guard isTerminal else { return }
    state.withLock { state in
      let isShown = state.bottom != nil || state.showsProgress
      guard !state.hasEnded, line != nil || isShown else { return }
      Self.flush(&state, to: descriptor)
      state.bottom = line.map { Array($0.utf8) }
      let progress = takesProgress ? Self.progress(isOver: line == nil, percent) : []
      state.showsProgress = takesProgress && line != nil
      Self.write(
        Self.erasing + (state.bottom ?? []) + progress, of: &state, to: descriptor)
    }
  }

  /// Removes the status line, and draws no other.
  package func endBottom() {
    showBottom(nil)
    state.withLock { $0.hasEnded = true }
  }

  /// What tells a terminal how far something is (OSC 9;4, from ConEmu).
  private static func progress(isOver: Bool, _ percent: Int?) -> [UInt8] {
    let state = isOver ? "0" : percent.map { "1;\($0)" } ?? "3"
    return Array("\u{1b}]9;4;\(state)\u{1b}\\".utf8)
  }

  package func flush() { state.withLock { Self.flush(&$0, to: descriptor) } }

  /// Writes pending output to a file, and throws if any write has failed.
  package func complete(_ path: String, for purpose: String) throws(FileFailure) {
    flush()
    guard let code = failure else { return }
    let required = state.withLock { $0.required }
    throw FileFailure(
      path: path, action: .write, fault: .system(code), purpose: required ?? purpose)
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    state.withLock { state in
      state.pending.append(contentsOf: bytes)
      if state.pending.count >= Self.bufferSize { Self.flush(&state, to: descriptor) }
    }
  }

  private static func flush(_ state: inout State, to descriptor: Int32) {
    guard let last = state.pending.last else { return }
    if let bottom = state.bottom {
      // After half a line the status line would be in the way.
      let isBelow = last == UInt8(ascii: "\n")
      state.bottom = isBelow ? bottom : nil
      state.pending = erasing + state.pending + (isBelow ? bottom : [])
    }
    write(state.pending, of: &state, to: descriptor)
    state.pending.removeAll(keepingCapacity: true)
  }

  private static func write(_ bytes: [UInt8], of state: inout State, to descriptor: Int32) {
    if state.failure == FileFailure.unread { return }
    let failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    state.failure = state.failure ?? failure
  }

  /// Writes all bytes; returns the `errno` of a failed write.
  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    // A pipe with room takes so much without waiting for a reader (POSIX, PIPE_BUF).
    let piece = isRegular(descriptor) ? bytes.count : Int(PIPE_BUF)
    var start = 0
    while start < bytes.count {
      guard waitForRoom(descriptor) else { return FileFailure.unread }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(piece))
      let count = POSIX.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno != EAGAIN, errno != EINTR { return errno }
      start += max(0, count)
    }
    return nil
  }

  private static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// - Returns: false if there is none, and the process is to end.
  private static func waitForRoom(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&waiting, 1, 250) <= 0 {
      if isInHurry.load(ordering: .relaxed) { return false }
    }
    return true
  }

  private static let isInHurry = Atomic(false)

  /// Gives up output that nobody reads: the process was told to end, and has waited for long enough.
  static func hurry() { isInHurry.store(true, ordering: .relaxed) }
}
