internal import CProcess

/// What the system tells a process about itself.
public enum ProcessFacts {
  /// The environment's variables; of several with one name, the first.
  public static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = environmentBlock
    while let entry = next.pointee {
      let parts = String(cString: entry).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, variables[String(parts[0])] == nil {
        variables[String(parts[0])] = String(parts[1])
      }
      next += 1
    }
    return variables
  }

  /// The environment as programs that are started get it.
  public static var environmentBlock: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    fanfare_environment()
  }

  /// The folder that relative paths start from; empty when it is gone.
  public static var workingFolder: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      getcwd(buffer.baseAddress, buffer.count).map { String(cString: $0) } ?? ""
    }
  }

  /// What this machine is called in its network; nil when the system does not say.
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

  /// How many processors the machine has.
  public static var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}
