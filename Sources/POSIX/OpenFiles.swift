internal import CProcess
internal import Synchronization

/// How many files, pipes and sockets the process may have open at once.
public enum OpenFiles {
  /// What the emulator needs with all the connections that it takes, and the inbox's.
  public static let usualCount = 4096

  /// The limit that the process was started with; nil unless it was raised.
  private static let original = Mutex<rlimit?>(nil)

  /// Raises the limit to this many, or to as many as the user may have: macOS starts programs with
  /// 256. One that is higher stays.
  public static func raiseLimit(to count: Int = usualCount) {
    var limit = rlimit()
    guard fanfare_get_open_files_limit(&limit) == 0, limit.rlim_cur < count else { return }
    let given = limit
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    guard limit.rlim_cur > given.rlim_cur, fanfare_set_open_files_limit(&limit) == 0 else { return }
    original.withLock { $0 = given }
  }

  /// Starts a program with the limit that this one was started with: some programs, such as those
  /// that use `select`, do not expect a higher one. Meanwhile no thread gets descriptors above it.
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
