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
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    let (id, code) = Self.spawn(path, words, writing: ends[1])
    if code != 0 {
      close(ends[0])
      throw .system(code)
    }
    (self.id, output) = (id, ends[0])
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
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  private func waitForOutput(until deadline: Deadline) throws(SecretCommandFault) {
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let count = poll(&waiting, 1, deadline.left)
    if count == 0 { throw .late(seconds: deadline.seconds) }
    if count < 0, errno != EINTR { throw .system(errno) }
  }

  /// Starts it with no signal blocked or ignored, for what this program does about signals is not
  /// the other's business.
  private static func spawn(
    _ path: String, _ words: [String], writing output: Int32
  ) -> (id: pid_t, code: Int32) {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    resetSignals(&attributes)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var id = pid_t()
    let code = posix_spawn(&id, path, &actions, &attributes, &arguments, environ)
    return (id, code)
  }

  #if canImport(Darwin)
  private typealias Attributes = posix_spawnattr_t?
  #else
  private typealias Attributes = posix_spawnattr_t
  #endif

  private static func resetSignals(_ attributes: inout Attributes) {
    var (none, ignored) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&ignored)
    sigaddset(&ignored, SIGPIPE)
    sigaddset(&ignored, SIGXFSZ)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }
}
