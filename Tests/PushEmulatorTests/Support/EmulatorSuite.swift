import Synchronization

@testable import PushEmulator

/// A suite whose emulators have a clock close to the dates of ``TestKey``'s provider tokens, and a
/// journal that it can read.
protocol EmulatorSuite {
  var recorded: Recorder { get }
  /// How many requests its emulators keep; nil for none.
  var keeps: Int? { get }
}

extension EmulatorSuite {
  var keeps: Int? { nil }

  func start(_ change: (inout EmulatorConfiguration) -> Void = { _ in }) throws -> Emulator {
    var configuration = EmulatorConfiguration()
    configuration.now = { 1_000_010 }
    configuration.keeps = keeps
    configuration.journal = .entries { [recorded] in recorded.append($0) }
    change(&configuration)
    return try Emulator(configuration)
  }
}

/// Takes the journal's entries.
final class Recorder: Sendable {
  private let storage = Mutex<[ReceivedPush]>([])
  var entries: [ReceivedPush] { storage.withLock { $0 } }
  func append(_ entry: ReceivedPush) { storage.withLock { $0.append(entry) } }
}
