package import APNS
package import PushModel

/// When the runs of these tests begin, in milliseconds since 1970 UTC.
package let dawn: Int64 = 1_700_000_000_000

package let minute: Int64 = 60_000

extension RunRecord {
  /// A run that began at ``dawn``.
  package static func sample(atMostOnce: Bool = false) -> RunRecord {
    let identity = RunIdentity(given: nil, bits: APNSID.RunBits(1 << 59 | 7, 1 << 13 | 3))
    var record = RunRecord(
      started: dawn, environment: "emulator", version: "1.0", identity: identity)
    record.atMostOnce = atMostOnce
    return record
  }
}

extension Response {
  /// An acceptance.
  package static let yes = Response(status: .accepted)
  /// A dead device token.
  package static let gone = Response(status: .gone, reason: .unregistered, timestamp: dawn - 5)
  /// A server that asks to come back later.
  package static let busy = Response(status: .unavailable, reason: .serviceUnavailable)
}

extension Push {
  /// Pushes numbered from 1, each to a device token with its number in its last digits, at a line
  /// that is ten times its number.
  package static func samples(_ count: Int, list: String = "all.txt") throws -> [Push] {
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
  package func result(
    _ outcome: Outcome, _ response: Response? = nil, attempts: Int = 1, resent: Bool = false,
    latency: Int? = nil, at time: Int64? = nil
  ) -> PushResult {
    PushResult(
      push: self, outcome: outcome, response: response, attempts: attempts,
      wasResentInDoubt: resent, latencyMicroseconds: latency, answeredAt: time)
  }

  /// An acceptance, a second after the run began.
  package var accepted: PushResult { result(.accepted, .yes, latency: 1500, at: dawn + 1000) }
}
