import APNS
import HTTP2
import PushEmulator
import Synchronization

/// A push as the test's script sees it.
struct Attempt: Sendable {
  let push: IncomingPush
  /// Which attempt at this device token it is, from 1.
  let attempt: Int
  /// The number that `deviceTokens` gave the token.
  var token: Int { push.token.number }
}

/// An emulator with a script and a memory.
final class TestServer: Sendable {
  private struct Memory {
    var ids: [Int: [String]] = [:]
    var authorizations: Set<String> = []
    var processed: [String: Int] = [:]

    mutating func note(_ push: IncomingPush) -> Int {
      authorizations.insert(push.headers["authorization"] ?? "")
      ids[push.token.number, default: []].append(push.apnsID)
      return ids[push.token.number]?.count ?? 0
    }
  }

  private final class Record: Sendable {
    let memory = Mutex(Memory())
  }

  let emulator: Emulator
  private let record: Record
  private let folder: TemporaryFolder
  private let roots: String

  convenience init(answer: @escaping @Sendable (Attempt) -> EmulatorAnswer? = { _ in nil }) throws {
    try self.init(configure: { _ in }, answer: answer)
  }

  init(
    configure: (inout EmulatorConfiguration) -> Void,
    answer: @escaping @Sendable (Attempt) -> EmulatorAnswer? = { _ in nil }
  ) throws {
    let record = Record()
    var configuration = EmulatorConfiguration()
    configuration.journal = .entries { entry in
      guard entry.processed, let token = entry.token else { return }
      record.memory.withLock { $0.processed[token, default: 0] += 1 }
    }
    configuration.answer = { push in
      answer(Attempt(push: push, attempt: record.memory.withLock { $0.note(push) }))
    }
    configure(&configuration)
    emulator = try Emulator(configuration)
    self.record = record
    folder = try TemporaryFolder()
    roots = try folder.file("roots.pem", emulator.certificateAuthorityPEM)
  }

  var target: DialTarget {
    DialTarget(host: "127.0.0.1", port: emulator.port, additionalRoots: roots)
  }

  /// How often each device token was answered with 200.
  var processed: [String: Int] { record.memory.withLock { $0.processed } }

  /// How many different provider tokens came with pushes that passed the checks.
  var providerTokens: Int { record.memory.withLock { $0.authorizations.count } }

  /// The `apns-id` of each attempt at a device token.
  func ids(of token: Int) -> [String] { record.memory.withLock { $0.ids[token] ?? [] } }
}
