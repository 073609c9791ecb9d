/// Dedicated threads for blocking work.
public enum Thread {
  /// The stack size in bytes: the main thread's, so that whatever runs there runs on any thread.
  /// macOS gives other threads 512 KiB, and musl 128 KiB; a scenario needs up to 1 MiB. Only the
  /// pages in use take memory.
  public static let usualStackSize = 8 * 1024 * 1024

  /// Starts a detached thread that ends when `work` returns. `SIGPIPE` is blocked on it.
  ///
  /// - Parameter stackSize: in bytes, a multiple of the page size.
  /// - Returns: false if the system cannot create another thread; `work` does not run then.
  @discardableResult
  public static func start(
    stackSize: Int = usualStackSize, _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    let task = Unmanaged.passRetained(Task(work))
    var thread = newThread()
    let code = pthread_create(&thread, &attributes, { run($0) }, task.toOpaque())
    if code != 0 { task.release() }
    return code == 0
  }
}

/// The work of one thread.
private final class Task: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

private func run(_ task: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  BrokenPipe.block()
  if let task { Unmanaged<Task>.fromOpaque(task).takeRetainedValue().work() }
  return nil
}

#if canImport(Glibc)
private func newThread() -> pthread_t { pthread_t() }
#else
private func newThread() -> pthread_t? { nil }
#endif
