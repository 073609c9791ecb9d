internal import CProcess
internal import Synchronization

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
