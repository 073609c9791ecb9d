/// What the machine is, and what it allows a process.
public enum MachineFacts {
  /// The system's name, its release and the processor, for example `Linux 6.8.0 x86_64`.
  public static var name: String {
    var system = utsname()
    guard uname(&system) == 0 else { return "" }
    return [text(system.sysname), text(system.release), text(system.machine)]
      .joined(separator: " ")
  }

  /// The bytes of stack of the thread that asks; nil when the system does not say.
  public static var stackSize: Int? {
    #if canImport(Darwin)
    return pthread_get_stacksize_np(pthread_self())
    #else
    guard let symbol = dlsym(nil, "pthread_getattr_np") else { return nil }
    let describe = unsafeBitCast(symbol, to: DescribeThread.self)
    var attributes = pthread_attr_t()
    guard describe(pthread_self(), &attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    var size = 0
    return pthread_attr_getstacksize(&attributes, &size) == 0 ? size : nil
    #endif
  }

  #if !canImport(Darwin)
  /// glibc and musl both have it, but glibc's header hides it from programs that do not ask for GNU's
  /// extensions, as Swift does not.
  private typealias DescribeThread =
    @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
  #endif

  /// A C array of characters as a text.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// How many files, sockets and pipes a process may have open at once.
public struct DescriptorLimit: Sendable, Hashable {
  /// The limit that counts; `.max` for none.
  public var soft: Int

  /// How far the process may raise it; `.max` for no limit.
  public var hard: Int

  /// Any limit.
  public init(soft: Int, hard: Int) { (self.soft, self.hard) = (soft, hard) }

  /// This process's; nil when the system does not say.
  public static var current: DescriptorLimit? {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return nil }
    return DescriptorLimit(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
  }
}

#if canImport(Glibc)
private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
private let openFiles = RLIMIT_NOFILE
#endif
