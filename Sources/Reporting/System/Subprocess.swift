internal import CProcess
package import POSIX

/// A program that is run to completion, with text on its standard input.
package struct Subprocess {
  package struct Result {
    package let status: Int32
    /// Standard output and standard error, interleaved.
    package let output: String
  }

  package let path: String

  /// Finds a program by name; nil when it is not in `PATH`.
  package init?(named name: String, in environment: [String: String]) {
    // A folder such as `.` may be a project's, which must not decide what is run.
    let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    let paths: [String] = folders.map { "\($0)/\(name)" }
    let path = paths.first { isPlainFile($0) && access($0, X_OK) == 0 }
    guard let path else { return nil }
    self.path = path
  }

  /// Runs the program. `input` must fit in a pipe: up to 16 KiB does on every system.
  package func run(_ arguments: [String], input: [UInt8]) throws(FileFailure) -> Result {
    let source = try makePipe()
    defer { close(source.reading) }
    _ = write(source.writing, input, input.count)
    close(source.writing)
    let result = try makePipe()
    defer { close(result.reading) }
    let (id, code) = spawn(
      path, [path] + arguments, reading: source.reading, writing: result.writing,
      errors: result.writing)
    close(result.writing)
    if code != 0 { throw failure(code) }
    let output = String(decoding: readAll(result.reading) ?? [], as: UTF8.self)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return Result(status: exitStatus(status), output: output)
  }

  private func makePipe() throws(FileFailure) -> PipeEnds {
    guard let ends = PipeEnds() else { throw failure(errno) }
    return ends
  }

  private func failure(_ code: Int32) -> FileFailure {
    FileFailure(path: path, action: .read, fault: .system(code), purpose: "program")
  }
}

/// The two ends of a pipe, which child processes do not inherit.
package struct PipeEnds {
  package let reading: Int32
  package let writing: Int32

  /// Creates a pipe; nil on failure, with `errno` set.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}

/// The exit status from `waitpid`; 128 plus the signal for a program that a signal ended.
package func exitStatus(_ status: Int32) -> Int32 {
  let signal = status & 0x7F
  return signal == 0 ? status >> 8 & 0xFF : 128 + signal
}

/// Starts a program with no signals blocked or ignored, so that it does not inherit the signal
/// handling of this one.
///
/// - Parameters:
///   - words: its name and arguments.
///   - input: its standard input; nil for an empty one.
///   - errors: its standard error; nil for that of this process.
///   - handed: a descriptor that it gets under the number of ``HandedWords``; nil for none.
///   - variables: what is added to its environment, as `NAME=VALUE`.
///   - isApart: it gets a session of its own, so that neither a terminal's signals nor its questions
///     reach it.
/// - Returns: the process ID, and 0 or the `errno` of a failure to start.
package func spawn(
  _ path: String, _ words: [String], reading input: Int32?, writing output: Int32,
  errors: Int32?, handing handed: Int32? = nil, adding variables: [String] = [],
  isApart: Bool = false
) -> (id: pid_t, code: Int32) {
  var (actions, attributes) = (emptyActions(), emptyAttributes())
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  if let input {
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
  } else {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  }
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
  if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
  if let handed { posix_spawn_file_actions_adddup2(&actions, handed, HandedWords.descriptor) }
  var (ignored, none) = signalSets()
  posix_spawnattr_setsigdefault(&attributes, &ignored)
  posix_spawnattr_setsigmask(&attributes, &none)
  let session = isApart ? fanfare_spawn_in_session() : 0
  let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | session
  posix_spawnattr_setflags(&attributes, flags)
  var arguments = words.map { strdup($0) } + [nil]
  let added = variables.map { strdup($0) }
  defer { for word in arguments + added { free(word) } }
  // Of a name that occurs twice, the first counts.
  var environment = added + ProcessFacts.environmentEntries + [nil]
  var id = pid_t()
  let code = OpenFiles.withOriginalLimit {
    posix_spawn(&id, path, &actions, &attributes, &arguments, &environment)
  }
  return (id, code)
}

/// The signals that this process may have ignored, and none.
private func signalSets() -> (ignored: sigset_t, none: sigset_t) {
  var (ignored, none) = (sigset_t(), sigset_t())
  sigemptyset(&ignored)
  sigemptyset(&none)
  for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
  return (ignored, none)
}

#if canImport(Darwin)
private func emptyActions() -> posix_spawn_file_actions_t? { nil }
private func emptyAttributes() -> posix_spawnattr_t? { nil }
#else
private func emptyActions() -> posix_spawn_file_actions_t { .init() }
private func emptyAttributes() -> posix_spawnattr_t { .init() }
#endif
