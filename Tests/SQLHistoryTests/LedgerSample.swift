import APNS
import PushModel
import Recipients
import SendingSupport
import Testing

@testable import SQLHistory

/// When the runs of these tests begin, in milliseconds since 1970 UTC.
let dawn: Int64 = 1_700_000_000_000

let minute: Int64 = 60_000

extension RunRecord {
  /// A run that began at ``dawn``.
  static func sample(atMostOnce: Bool = false) -> RunRecord {
    let identity = RunIdentity(given: nil, bits: APNSID.RunBits(1 << 59 | 7, 1 << 13 | 3))
    var record = RunRecord(
      started: dawn, environment: "emulator", version: "1.0", identity: identity)
    record.atMostOnce = atMostOnce
    return record
  }
}

extension Response {
  /// An acceptance.
  static let yes = Response(status: .accepted)
  /// A dead device token.
  static let gone = Response(status: .gone, reason: .unregistered, timestamp: dawn - 5)
  /// A server that asks to come back later.
  static let busy = Response(status: .unavailable, reason: .serviceUnavailable)
}

extension Push {
  /// Pushes numbered from 1, each to a device token with its number in its last digits, at a line
  /// that is ten times its number.
  static func samples(_ count: Int, list: String = "all.txt") throws -> [Push] {
    let tokens = try deviceTokens(count)
    var builder = PushChunkBuilder()
    builder.begin(list: list)
    var pushes: [Push] = []
    for (index, token) in tokens.enumerated() {
      var hex = token.hex
      hex.withUTF8 { builder.append(token: $0, line: 10 * (index + 1)) }
      guard builder.isFull || index == tokens.count - 1 else { continue }
      let chunk = builder.take()
      pushes += (0..<chunk.count).map { chunk.push(at: $0) }
    }
    return pushes
  }

  /// What became of it.
  func result(
    _ outcome: Outcome, _ response: Response? = nil, attempts: Int = 1, resent: Bool = false,
    latency: Int? = nil, at time: Int64? = nil
  ) -> PushResult {
    PushResult(
      push: self, outcome: outcome, response: response, attempts: attempts,
      wasResentInDoubt: resent, latencyMicroseconds: latency, answeredAt: time)
  }

  /// An acceptance, a second after the run began.
  var accepted: PushResult { result(.accepted, .yes, latency: 1500, at: dawn + 1000) }
}

extension SQLLedger {
  /// Ends a run whose lists were read.
  func finishAll(_ count: Int, at time: Int64 = dawn + 2000) throws {
    listsEnded(at: UInt64(count))
    var counts = RecipientCounts()
    counts.lines = count
    try finish(RunEnding(.finished, recipients: counts, at: time))
  }
}
