internal import POSIX
internal import Reporting
internal import Synchronization
internal import WebServer

/// The program that a studio runs: this one.
struct ChildProgram: Sendable {
  let path: String
  /// The arguments that all users of the machine can see; the words are handed over.
  var arguments = [HandedWords.argument]
  /// The options that each child gets before its own words.
  var options = ["--color=never"]
  var variables = ["FANFARE_CONFIRM=1"]
}

/// A child process whose output is read. It has nothing of this process but its environment and
/// its standard streams.
final class Child: Sendable {
  /// A stream that the child writes to.
  enum Stream { case output, errors }

  /// The process; nil once it is reaped, so that no other process gets its signals.
  private let process: Mutex<pid_t?>
  private let id: pid_t
  private let output: Int32
  private let errors: Int32

  /// Children are started one at a time: a pipe is closed on exec only after it was made.
  private static let turn = Mutex(())

  /// - Parameter input: standard input; nil for none.
  /// - Returns: nil if the system cannot start it.
  init?(_ program: ChildProgram, _ words: [String], input: [UInt8]?) {
    let started = Self.turn.withLock { _ in Self.start(program, words, input) }
    guard let (id, output, errors) = started else { return nil }
    (self.id, self.output, self.errors) = (id, output, errors)
    process = Mutex(id)
  }

  private static func start(
    _ program: ChildProgram, _ words: [String], _ input: [UInt8]?
  ) -> (id: pid_t, output: Int32, errors: Int32)? {
    let file = input.flatMap(unnamedFile)
    defer { if let file { close(file) } }
    guard let handed = HandedWords.file(program.options + words) else { return nil }
    defer { close(handed) }
    guard input == nil || file != nil, let output = PipeEnds() else { return nil }
    defer { close(output.writing) }
    guard let errors = PipeEnds() else {
      close(output.reading)
      return nil
    }
    defer { close(errors.writing) }
    let (id, code) = spawn(
      program.path, ["fanfare"] + program.arguments, reading: file, writing: output.writing,
      errors: errors.writing, handing: handed, adding: program.variables, isApart: true)
    if code == 0 { return (id, output.reading, errors.reading) }
    for end in [output.reading, errors.reading] { close(end) }
    return nil
  }

  deinit { for end in [output, errors] { close(end) } }

  /// Sends a signal to the child, and SIGKILL to what it has started as well.
  func signal(_ signal: Int32) {
    process.withLock { id in
      if let id { kill(signal == SIGKILL ? -id : id, signal) }
    }
  }

  /// Reads what the child writes until it has ended, on the caller's thread, and reaps it.
  ///
  /// - Parameters:
  ///   - deadline: the time at which it is killed, on the clock of `uptime`.
  ///   - take: is called with each piece; false kills the child.
  /// - Returns: the exit status, or 128 plus the signal that ended it.
  func finish(by deadline: Int64 = .max, _ take: (Stream, ArraySlice<UInt8>) -> Bool) -> Int32 {
    var ends = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while ends.contains(where: { $0.fd >= 0 }) {
      let rest = max(0, deadline - uptime())
      if rest == 0 { signal(SIGKILL) }
      poll(&ends, nfds_t(ends.count), rest == 0 || deadline == .max ? -1 : Int32(clamping: rest))
      for index in ends.indices where ends[index].revents != 0 {
        if !read(&ends[index], index == 0 ? .output : .errors, take) { signal(SIGKILL) }
      }
    }
    return reap()
  }

  /// Reads a piece; at the end of the stream, stops polling it.
  private func read(
    _ end: inout pollfd, _ stream: Stream, _ take: (Stream, ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { block in
      let count = POSIX.read(end.fd, block.baseAddress, block.count)
      if count > 0 { return take(stream, Array(block[..<count])[...]) }
      if count == 0 || errno != EINTR { end.fd = -1 }
      return true
    }
  }

  private func reap() -> Int32 {
    var (info, status) = (siginfo_t(), Int32(0))
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    process.withLock { process in
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      process = nil
    }
    return exitStatus(status)
  }
}
