/// Work on threads of its own, for what blocks.
public enum Thread {
  /// The size of a stack in bytes: that of the main thread, so that whatever runs there runs on any
  /// thread. macOS gives other threads 512 KiB, and musl 128 KiB; a scenario needs up to 1 MiB. Only
  /// what is used takes memory.
  public static let usualStackSize = 8 * 1024 * 1024

  /// Starts a thread, which ends with its work.
  ///
  /// - Parameter stackSize: in bytes, a multiple of the size of a page.
  /// - Returns: false when the system has no thread left; the work is then not done.
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

/// What a thread is to do.
private final class Task: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

private func run(_ task: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let task { Unmanaged<Task>.fromOpaque(task).takeRetainedValue().work() }
  return nil
}

#if canImport(Glibc)
private func newThread() -> pthread_t { pthread_t() }
#else
private func newThread() -> pthread_t? { nil }
#endif
