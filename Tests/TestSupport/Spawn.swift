internal import Foundation

/// The flags of glibc's `posix_spawn` that it shows to few, or macOS's.
enum SpawnFlag {
  #if os(macOS)
  static let startsSession: Int32 = 0x400
  #else
  static let startsSession: Int32 = 0x80
  #endif
  /// It leads a session, so that it cannot ask whoever runs the tests on a terminal, and no signal is
  /// blocked: a thread of Dispatch blocks nearly all.
  static let startsApart = startsSession | Int32(POSIX_SPAWN_SETSIGMASK)
}

/// Where a program's standard streams come from and go to.
enum SpawnStream {
  case descriptor(Int32)
  case reading(String)
  case writing(String)
}

/// The system did not start a program.
struct SpawnFailure: Error {
  let path: String
  let code: Int32
}

/// Starts a program that inherits its three streams and no other file: neither Foundation nor
/// `FD_CLOEXEC` keeps those from it that another test opens at this moment, and a pipe does not end
/// as long as a program of another test holds it.
///
/// - Parameters:
///   - words: its path and arguments.
///   - folder: where it runs; nil for here.
/// - Returns: the process id.
func spawn(
  _ words: [String], _ variables: [String: String], in folder: String? = nil,
  streams: [SpawnStream], flags: Int32
) throws -> pid_t {
  var (actions, attributes) = (emptyActions(), emptyAttributes())
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  for (end, stream) in zip(Int32(0)..., streams) { add(stream, as: end, to: &actions) }
  try enter(folder, &actions)
  keepOthers(from: &actions)
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(flags | closingFlag))
  var arguments = words.map { strdup($0) } + [nil]
  var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
  defer { for text in arguments + environment { free(text) } }
  var id = pid_t()
  let code = posix_spawn(&id, words[0], &actions, &attributes, &arguments, &environment)
  guard code == 0 else { throw SpawnFailure(path: words[0], code: code) }
  return id
}

private func add(_ stream: SpawnStream, as end: Int32, to actions: inout SpawnActions) {
  switch stream {
  case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, end)
  case .reading(let path): posix_spawn_file_actions_addopen(&actions, end, path, O_RDONLY, 0)
  case .writing(let path):
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, end, path, flags, 0o600)
  }
}

#if os(macOS)
private typealias SpawnActions = posix_spawn_file_actions_t?
private func emptyActions() -> SpawnActions { nil }
private func emptyAttributes() -> posix_spawnattr_t? { nil }
private let closingFlag = POSIX_SPAWN_CLOEXEC_DEFAULT
private func keepOthers(from actions: inout SpawnActions) {}
private func enter(_ folder: String?, _ actions: inout SpawnActions) throws {
  if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
}
#else
private typealias SpawnActions = posix_spawn_file_actions_t
private func emptyActions() -> SpawnActions { .init() }
private func emptyAttributes() -> posix_spawnattr_t { .init() }
private let closingFlag: Int32 = 0

// Swift's module of glibc hides these two; musl lacks the second.
private typealias AddFolder =
  @convention(c) @Sendable (UnsafeMutablePointer<SpawnActions>, UnsafePointer<CChar>) -> Int32
private typealias AddLimit =
  @convention(c) @Sendable (UnsafeMutablePointer<SpawnActions>, Int32) -> Int32
private let addFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np")
  .map { unsafeBitCast($0, to: AddFolder.self) }
private let addLimit = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
  .map { unsafeBitCast($0, to: AddLimit.self) }

private func keepOthers(from actions: inout SpawnActions) { _ = addLimit?(&actions, 3) }

private func enter(_ folder: String?, _ actions: inout SpawnActions) throws {
  guard let folder else { return }
  guard let addFolder else { throw SpawnFailure(path: folder, code: ENOSYS) }
  _ = addFolder(&actions, folder)
}
#endif
