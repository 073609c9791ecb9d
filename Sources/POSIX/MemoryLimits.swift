internal import CProcess

/// The limits on the memory of the process, as `ulimit` sets them.
public enum MemoryLimits {
  /// A limit that is too low.
  public enum Shortage: Sendable, Hashable {
    case stack(bytes: UInt64)
    case memory(bytes: UInt64)
  }

  /// The stack that the main thread needs, in bytes.
  public static let stack: UInt64 = 1 << 20

  /// The address space that a run needs with its threads' stacks, in bytes.
  public static let memory: UInt64 = 384 << 20

  /// Raises the limit on the stack as far as the user is allowed to, if it is too low.
  ///
  /// - Returns: the limit that is too low all the same; nil if none is.
  public static func raised() -> Shortage? {
    var limit = rlimit()
    if fanfare_get_stack_limit(&limit) == 0, limit.rlim_cur < stack {
      limit.rlim_cur = min(rlim_t(stack), limit.rlim_max)
      _ = fanfare_set_stack_limit(&limit)
      if limit.rlim_cur < stack { return .stack(bytes: UInt64(limit.rlim_cur)) }
    }
    guard fanfare_get_memory_limit(&limit) == 0, limit.rlim_cur < memory else { return nil }
    return .memory(bytes: UInt64(limit.rlim_cur))
  }
}
