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

  // Foundation's Process may be asked for its end by any thread.
  private final class Handle: @unchecked Sendable {
    let process: Process

    init(_ process: Process) { self.process = process }
  }

  private let handle: Handle
  private let outputPipe = Pipe()
  private let errorsPath: String
  private let ended = DispatchSemaphore(value: 0)
  private let unread = Mutex(Data())

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - limit: the seconds after which it is killed.
  public init(
    path: String, _ arguments: [String], in folder: TemporaryFolder, input: Input = .nothing,
    environment: [String: String] = [:], limit: Int = 120
  ) throws {
    let process = Process()
    errorsPath = folder.file(".errors-\(UUID().uuidString)")
    handle = Handle(process)
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = Self.environment(folder).merging(environment) { $1 }
    let files = (input: try Self.open(input), errors: try Self.create(errorsPath))
    process.standardInput = files.input
    shrinkPipe(outputPipe.fileHandleForReading.fileDescriptor)
    process.standardOutput = outputPipe
    process.standardError = files.errors
    process.terminationHandler = { [ended] _ in ended.signal() }
    try Self.start(process)
    // Foundation keeps ended processes and their files. With some 1,350 descriptors open its next
    // `run()` reads beyond the end of a directory entry (swift-corelibs-foundation#5472) and may crash.
    try? files.errors.close()
    if case .file = input { try? files.input.close() }
    // Weak, so that a program's descriptors do not stay open until its time is over.
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) { [weak handle] in
      if let handle, handle.process.isRunning { kill(handle.process.processIdentifier, SIGKILL) }
    }
  }

  /// A test that fails leaves no program behind.
  deinit {
    if handle.process.isRunning { kill(id, SIGKILL) }
    closeOutput()
  }

  /// The process id.
  public var id: Int32 { handle.process.processIdentifier }

  /// Sends a signal.
  public func send(_ signal: Int32) { kill(id, signal) }

  /// The next line of standard output, without its line feed; nil at the end.
  public func readLine() -> String? {
    unread.withLock { unread in
      while true {
        if let end = unread.firstIndex(of: 0x0A) {
          defer { unread = Data(unread[(end + 1)...]) }
          return String(decoding: unread[..<end], as: UTF8.self)
        }
        let more = readOutput()
        if more.isEmpty { return nil }
        unread += more
      }
    }
  }

  /// Waits for the end, and leaves unread what the program still writes.
  ///
  /// - Returns: the exit code; nil when a signal ended it.
  public func waitForEnd() -> Int32? {
    ended.wait()
    ended.signal()
    return handle.process.terminationReason == .exit ? handle.process.terminationStatus : nil
  }

  /// Waits for the end.
  ///
  /// - Returns: what the program wrote and was not read yet, and how it ended.
  public func finish() throws -> Result {
    let rest = unread.withLock { unread in
      var rest = unread
      unread = Data()
      while case let more = readOutput(), !more.isEmpty { rest += more }
      return rest
    }
    ended.wait()
    closeOutput()
    let errors = try Data(contentsOf: URL(filePath: errorsPath))
    let hasExited = handle.process.terminationReason == .exit
    return Result(
      output: String(decoding: rest, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self),
      exitCode: hasExited ? handle.process.terminationStatus : nil)
  }

  /// What is there next; empty at the end. `FileHandle` ends the process when a signal interrupts it.
  private func readOutput() -> Data {
    let descriptor = outputPipe.fileHandleForReading.fileDescriptor
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count >= 0 { return Data(bytes[..<count]) }
      if errno != EINTR { return Data() }
    }
  }

  private func closeOutput() { try? outputPipe.fileHandleForReading.close() }

  /// Starts a process with no signal blocked. It inherits the mask of this thread, and Dispatch's
  /// threads block nearly all.
  private static func start(_ process: Process) throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  private static let forPrograms = ProcessInfo.processInfo.environment.filter { name, _ in
    ["ASAN_OPTIONS", "TSAN_OPTIONS", "PLANTED_FAULT"].contains(name)
  }

  private static func environment(_ folder: TemporaryFolder) -> [String: String] {
    let own = [
      "HOME": folder.path, "TMPDIR": folder.path, "PATH": searchPath, "LC_ALL": "C.UTF-8",
    ]
    return own.merging(forPrograms) { $1 }
  }

  private static func open(_ input: Input) throws -> FileHandle {
    switch input {
    case .nothing: FileHandle.nullDevice
    case .file(let path): try FileHandle(forReadingFrom: URL(filePath: path))
    case .descriptor(let descriptor): FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    }
  }

  private static func create(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(filePath: path))
    return try FileHandle(forWritingTo: URL(filePath: path))
  }
}
