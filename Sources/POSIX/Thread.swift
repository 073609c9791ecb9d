/// Work on threads of its own, for what blocks.
public enum Thread {
  /// Starts a thread, which ends with its work.
  ///
  /// - Parameter stackSize: in bytes, a multiple of the size of a page; nil takes the system's
  ///   default.
  /// - Returns: false when the system has no thread left; the work is then not done.
  @discardableResult
  public static func start(
    stackSize: Int? = nil, _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
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

#if canImport(Darwin)
private func newThread() -> pthread_t? { nil }
#else
private func newThread() -> pthread_t { pthread_t() }
#endif
