internal import Foundation
internal import Synchronization

/// A program that runs in a folder, with an environment that holds nothing of the caller's but
/// `PATH`, and what sanitizers and Scripts/mutants tell programs.
///
/// Its standard output is a small pipe that is read as the test wants; its standard error goes to a file.
/// A program that outlives its time limit is killed, so that no test hangs.
public final class Program: Sendable {
  /// What a program leaves behind.
  public struct Result: Sendable {
    /// Standard output.
    public var output: String
    /// Standard error.
    public var errors: String
    /// The exit code; nil when a signal ended it.
    public var exitCode: Int32?
  }

  /// Where standard input comes from.
  public enum Input: Sendable {
    /// It is empty.
    case nothing
    /// A file.
    case file(String)
    /// A descriptor, which stays the caller's.
    case descriptor(Int32)
  }

  private let process: ChildProcess
  private let errorsPath: String
  private let output: Mutex<Output>

  private struct Output {
    /// Nil once it is closed.
    var descriptor: Int32?
    var unread = Data()
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - limit: the seconds after which it is killed.
  public init(
    path: String, _ arguments: [String], in folder: TemporaryFolder, input: Input = .nothing,
    environment: [String: String] = [:], limit: Int = 600
  ) throws {
    errorsPath = folder.file(".errors-\(UUID().uuidString)")
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    shrinkPipe(ends[0])
    output = Mutex(Output(descriptor: ends[0]))
    process = ChildProcess(
      try spawn(
        [path] + arguments, Self.environment(folder).merging(environment) { $1 }, in: folder.path,
        streams: [Self.stream(input), .descriptor(ends[1]), .writing(errorsPath)],
        flags: SpawnFlag.startsApart))
    // Weak, so that it does not stay until its time is over.
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) { [weak process] in
      process?.send(SIGKILL)
    }
  }

  /// A test that fails leaves no program behind.
  deinit {
    process.send(SIGKILL)
    output.withLock { Self.closeOutput(&$0) }
  }

  /// The process id.
  public var id: Int32 { process.id }

  /// Sends a signal, unless it has ended.
  public func send(_ signal: Int32) { process.send(signal) }

  /// The next line of standard output, without its line feed; nil at the end.
  public func readLine() -> String? {
    output.withLock { output in
      while true {
        if let end = output.unread.firstIndex(of: 0x0A) {
          defer { output.unread = Data(output.unread[(end + 1)...]) }
          return String(decoding: output.unread[..<end], as: UTF8.self)
        }
        let more = Self.more(of: output)
        if more.isEmpty { return nil }
        output.unread += more
      }
    }
  }

  /// Waits for the end, and leaves unread what the program still writes.
  ///
  /// - Returns: the exit code; nil when a signal ended it.
  public func waitForEnd() -> Int32? { process.wait() }

  /// Waits for the end.
  ///
  /// - Returns: what the program wrote and was not read yet, and how it ended.
  public func finish() throws -> Result {
    let rest = output.withLock { output in
      while case let more = Self.more(of: output), !more.isEmpty { output.unread += more }
      defer { output.unread = Data() }
      Self.closeOutput(&output)
      return output.unread
    }
    let exitCode = process.wait()
    let errors = try Data(contentsOf: URL(filePath: errorsPath))
    return Result(
      output: String(decoding: rest, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self), exitCode: exitCode)
  }

  /// What is there next; empty at the end.
  private static func more(of output: Output) -> Data {
    guard let descriptor = output.descriptor else { return Data() }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count >= 0 { return Data(bytes[..<count]) }
      if errno != EINTR { return Data() }
    }
  }

  private static func closeOutput(_ output: inout Output) {
    if let descriptor = output.descriptor { close(descriptor) }
    output.descriptor = nil
  }

  /// What the caller's environment says to every program: of sanitizers, and of a planted fault.
  static let forPrograms = ProcessInfo.processInfo.environment.filter { name, _ in
    ["ASAN_OPTIONS", "TSAN_OPTIONS", "PLANTED_FAULT"].contains(name)
  }

  private static func environment(_ folder: TemporaryFolder) -> [String: String] {
    let own = [
      "HOME": folder.path, "TMPDIR": folder.path, "PATH": searchPath, "LC_ALL": "C.UTF-8",
    ]
    return own.merging(forPrograms) { $1 }
  }

  private static func stream(_ input: Input) -> SpawnStream {
    switch input {
    case .nothing: .reading("/dev/null")
    case .file(let path): .reading(path)
    case .descriptor(let descriptor): .descriptor(descriptor)
    }
  }
}

/// A process that a thread waits for.
private final class ChildProcess: Sendable {
  let id: pid_t
  /// As `waitpid` gives it; nil as long as it runs.
  private let status = Mutex<Int32?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(_ id: pid_t) {
    self.id = id
    Thread.detachNewThread { self.reap() }
  }

  /// Sends a signal, unless it has ended.
  func send(_ signal: Int32) { status.withLock { if $0 == nil { kill(id, signal) } } }

  /// Waits for the end.
  ///
  /// - Returns: the exit code; nil when a signal ended it.
  func wait() -> Int32? {
    ended.wait()
    ended.signal()
    let status = status.withLock { $0 ?? 0 }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// Its id is its own until it is reaped.
  private func reap() {
    var end = siginfo_t()
    while waitid(P_PID, id_t(id), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    status.withLock { status in
      var found: Int32 = 0
      while waitpid(id, &found, 0) < 0, errno == EINTR {}
      status = found
    }
    ended.signal()
  }
}
