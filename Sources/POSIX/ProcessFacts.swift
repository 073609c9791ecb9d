internal import CProcess
internal import Synchronization

/// Facts the system reports to a process about itself.
public enum ProcessFacts {
  /// The environment variables; the first wins if a name occurs more than once.
  public static var environment: [String: String] {
    var variables: [String: String] = [:]
    for entry in environmentEntries.compactMap(\.self) {
      let parts = String(cString: entry).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, variables[String(parts[0])] == nil {
        variables[String(parts[0])] = String(parts[1])
      }
    }
    return variables
  }

  /// The environment variables, with the home folder of the user's account where `HOME` names none, as
  /// in cron jobs and small containers.
  public static var environmentWithHome: [String: String] {
    var variables = environment
    if !(variables["HOME"] ?? "").hasPrefix("/") { variables["HOME"] = accountHome }
    return variables
  }

  /// The home folder in the user's entry of the password database; nil without one.
  private static var accountHome: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      var (account, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
      guard let start = buffer.baseAddress,
        getpwuid_r(geteuid(), &account, start, buffer.count, &found) == 0,
        let home = found?.pointee.pw_dir, home.pointee == UInt8(ascii: "/")
      else { return nil }
      return String(cString: home)
    }
  }

  /// The variables in the form that child processes are started with.
  public static var environmentEntries: [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var next = environmentBlock
    while let entry = next.pointee {
      entries.append(entry)
      next += 1
    }
    return entries
  }

  /// The path of the program; nil if the system does not tell.
  public static var executable: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      #if canImport(Darwin)
      var size = UInt32(buffer.count)
      return _NSGetExecutablePath(start, &size) == 0 ? String(cString: start) : nil
      #else
      let count = readlink("/proc/self/exe", start, buffer.count - 1)
      if count < 0 { return nil }
      start[count] = 0
      return String(cString: start)
      #endif
    }
  }

  private static var environmentBlock: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    fanfare_environment()
  }

  /// The current directory; empty if it no longer exists.
  public static var workingFolder: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      getcwd(buffer.baseAddress, buffer.count).map { String(cString: $0) } ?? ""
    }
  }

  /// The machine's host name; nil if the system does not report it.
  public static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The system's name, its release and the processor, for example `Linux 6.8.0 x86_64`; empty when
  /// the system does not say.
  public static var system: String {
    var facts = utsname()
    guard uname(&facts) == 0 else { return "" }
    return [text(facts.sysname), text(facts.release), text(facts.machine)].joined(separator: " ")
  }

  /// A C array of characters as a text.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The limit on files, pipes and sockets that the process may have open at once.
public enum OpenFiles {
  /// Enough for the emulator and the inbox at their maximum number of connections.
  public static let usualCount = 4096

  /// The limit that the process was started with; nil unless it was raised.
  private static let original = Mutex<rlimit?>(nil)

  /// Raises the limit to `count`, or as far as the user is allowed to: macOS starts programs with
  /// 256. A higher limit is left alone.
  public static func raiseLimit(to count: Int = usualCount) {
    var limit = rlimit()
    guard fanfare_get_open_files_limit(&limit) == 0, limit.rlim_cur < count else { return }
    let given = limit
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    guard limit.rlim_cur > given.rlim_cur, fanfare_set_open_files_limit(&limit) == 0 else { return }
    original.withLock { $0 = given }
  }

  /// Calls `body`, which starts a program, with the process's original limit: some programs, such
  /// as those using `select`, cannot cope with more. Meanwhile no thread gets descriptors above it.
  public static func withOriginalLimit<Result>(_ body: () -> Result) -> Result {
    original.withLock { original in
      guard var given = original else { return body() }
      var raised = rlimit()
      fanfare_get_open_files_limit(&raised)
      fanfare_set_open_files_limit(&given)
      defer { fanfare_set_open_files_limit(&raised) }
      return body()
    }
  }
}
