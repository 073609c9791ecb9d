internal import Credentials
internal import POSIX

/// A program that runs, whose standard output is read; killed and waited for with this object.
final class RunningCommand {
  /// When it has to have ended.
  struct Deadline {
    let seconds: Int
    private let end: Int

    init(seconds: Int) {
      self.seconds = seconds
      end = Self.now + seconds * 1000
    }

    /// The milliseconds until then.
    var left: Int32 { Int32(clamping: max(0, end - Self.now)) }

    private static var now: Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
  }

  private let id: pid_t
  private let output: Int32
  private var hasEnded = false

  /// - Parameter words: what it is called, and its arguments.
  init(_ path: String, _ words: [String]) throws(SecretCommandFault) {
    guard let ends = PipeEnds() else { throw .system(errno) }
    defer { close(ends.writing) }
    let (id, code) = spawn(
      path, words, reading: nil, writing: ends.writing, writesErrors: false)
    if code != 0 {
      close(ends.reading)
      throw .system(code)
    }
    (self.id, output) = (id, ends.reading)
  }

  deinit {
    close(output)
    if hasEnded { return }
    kill(id, SIGKILL)
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  /// What it prints, straight into memory that is wiped.
  func read(limit: Int, until deadline: Deadline) throws(SecretCommandFault) -> SecretBytes {
    try SecretBytes(capacity: limit + 1) { (buffer) throws(SecretCommandFault) in
      var count = 0
      while count <= limit {
        try waitForOutput(until: deadline)
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let got = POSIX.read(output, room.baseAddress, room.count)
        if got < 0, errno != EINTR { throw .system(errno) }
        if got == 0 { return count }
        count += max(0, got)
      }
      throw .tooLong(limit: limit)
    }
  }

  /// Its exit status; of a program that a signal ended, 128 and the signal.
  func end(before deadline: Deadline) throws(SecretCommandFault) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, WNOHANG) != id {
      if deadline.left == 0 { throw .late(seconds: deadline.seconds) }
      // It has closed its output, and most programs end with that.
      poll(nil, 0, 5)
    }
    hasEnded = true
    return exitStatus(status)
  }

  private func waitForOutput(until deadline: Deadline) throws(SecretCommandFault) {
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let count = poll(&waiting, 1, deadline.left)
    if count == 0 { throw .late(seconds: deadline.seconds) }
    if count < 0, errno != EINTR { throw .system(errno) }
  }
}
