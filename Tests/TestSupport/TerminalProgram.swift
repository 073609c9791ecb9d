internal import Foundation

/// A program with a terminal of its own, on which the test types.
public final class TerminalProgram {
  /// The system refused something.
  public struct Failure: Error {
    /// What was asked of it.
    public let call: String
  }

  private let master: Int32
  private let id: pid_t
  private var seen = ""
  private var isReaped = false

  /// Starts a program in a folder, with an environment that holds little of the caller's but `PATH`.
  ///
  /// - Parameter columns: how wide the terminal is; nil for one that does not say.
  public init(
    path: String, _ arguments: [String], in folder: TemporaryFolder,
    environment: [String: String] = [:], columns: UInt16? = nil
  ) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize()
    size.ws_col = columns ?? 0
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw Failure(call: "openpty") }
    defer { close(slave) }
    let name = try Self.name(of: slave)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.master = master
    let base = ["HOME": folder.path, "TMPDIR": folder.path, "PATH": searchPath, "TERM": "dumb"]
    // The shell opens the terminal again, which makes it the session's own: macOS opens
    // posix_spawn's files before it begins the session. It also goes to the folder.
    let script = "exec <>\"$0\" >&0 2>&0 && cd \"$1\" && shift && exec \"$@\""
    let words = ["/bin/sh", "-c", script, name, folder.path, path] + arguments
    id = try spawn(
      words, base.merging(Program.forPrograms) { $1 }.merging(environment) { $1 },
      streams: Array(repeating: .descriptor(slave), count: 3), flags: SpawnFlag.startsSession)
  }

  deinit {
    if !isReaped {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    close(master)
  }

  /// Everything on the screen so far.
  public var screen: String { seen }

  /// Whether what is typed is shown.
  public var hasEcho: Bool {
    var settings = termios()
    return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Reads until a text is on the screen, or the program has gone, or two minutes are over.
  ///
  /// - Returns: whether the text is there, as often as was asked for.
  public func wait(for text: String, times: Int = 1) -> Bool {
    while seen.components(separatedBy: text).count <= times {
      if !readMore() { return false }
    }
    return true
  }

  /// Types.
  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Waits for the end.
  ///
  /// - Returns: the exit code; nil when a signal ended it.
  public func finish() -> Int32? {
    while readMore() {}
    var status: Int32 = 0
    waitpid(id, &status, 0)
    isReaped = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  private func readMore() -> Bool {
    var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 120_000) > 0 else { return false }
    var block = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &block, block.count)
    guard count > 0 else { return false }
    seen += String(decoding: block[..<count], as: UTF8.self)
    return true
  }

  /// Not `ttyname`, whose answer the next caller on another thread overwrites.
  private static func name(of terminal: Int32) throws -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard ttyname_r(terminal, &name, name.count) == 0 else { throw Failure(call: "ttyname_r") }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
