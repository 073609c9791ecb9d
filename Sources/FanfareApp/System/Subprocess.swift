internal import POSIX

/// A program that is run to its end, with a text on its standard input.
struct Subprocess {
  /// What a program leaves behind.
  struct Result {
    /// The exit status; of a program that a signal ended, 128 and the signal.
    var status: Int32
    /// Standard output and standard error, as they came.
    var output: String
  }

  let path: String

  /// A program by its name; nil when no folder of `PATH` has it.
  init?(named name: String, in environment: [String: String]) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let paths: [String] = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.path = path
  }

  /// Runs the program. `input` has to fit a pipe, which it does up to 16 KiB everywhere.
  func run(_ arguments: [String], input: [UInt8]) throws(FileFailure) -> Result {
    let toProgram = try Pipe(path)
    let fromProgram = try Pipe(path)
    let id = try spawn(arguments, reading: toProgram, writing: fromProgram)
    toProgram.close(toProgram.reading)
    fromProgram.close(fromProgram.writing)
    // A program that does not read its input has its reasons, which its status tells.
    _ = write(toProgram.writing, input, input.count)
    toProgram.close(toProgram.writing)
    let output = readAll(fromProgram.reading) ?? []
    return Result(status: Self.status(of: id), output: String(decoding: output, as: UTF8.self))
  }

  private func spawn(
    _ arguments: [String], reading input: Pipe, writing output: Pipe
  ) throws(FileFailure) -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDERR_FILENO)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id = pid_t()
    let code = posix_spawn(&id, path, &actions, nil, &words, environ)
    if code != 0 { throw FileFailure(program: path, code) }
    return id
  }

  private static func status(of id: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}

/// A pipe of which either end may be closed before the other.
private final class Pipe {
  let reading: Int32
  let writing: Int32
  private var open: Set<Int32> = []

  init(_ program: String) throws(FileFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FileFailure(program: program, errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
    open = [reading, writing]
  }

  deinit { for end in open { POSIX.close(end) } }

  func close(_ end: Int32) {
    if open.remove(end) != nil { POSIX.close(end) }
  }
}

extension FileFailure {
  fileprivate init(program path: String, _ code: Int32) {
    self.init(path: path, action: .read, fault: .system(code), purpose: "program")
  }
}
