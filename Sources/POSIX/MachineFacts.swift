/// Facts about the machine, and its limits for a process.
public enum MachineFacts {
  /// The system's name, its release and the processor, for example `Linux 6.8.0 x86_64`.
  public static var name: String {
    var system = utsname()
    guard uname(&system) == 0 else { return "" }
    return [text(system.sysname), text(system.release), text(system.machine)]
      .joined(separator: " ")
  }

  /// The calling thread's stack size in bytes; nil if the system does not report it.
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
  /// Both glibc and musl provide the function, but glibc's header hides it unless a program asks
  /// for GNU extensions, and Swift does not.
  private typealias DescribeThread =
    @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
  #endif

  /// Converts a C array of characters to a string.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The number of files, sockets and pipes a process may have open at once.
public struct DescriptorLimit: Sendable, Hashable {
  /// The limit in force; `.max` for none.
  public var soft: Int

  /// The ceiling up to which the process may raise the soft limit; `.max` for none.
  public var hard: Int

  /// Creates a limit with the given values.
  public init(soft: Int, hard: Int) { (self.soft, self.hard) = (soft, hard) }

  /// This process's limit; nil if the system does not report it.
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
