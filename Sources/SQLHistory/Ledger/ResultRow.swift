internal import APNS
package import PushModel

/// The earlier result of a push that is sent again.
package struct EarlierResult {
  package var outcome: Outcome
  package var attempts: Int64
  package var deferrals: Int64
  package var wasResent: Bool
  /// The worker session that has claimed the push again since; 0 if none.
  package var claimedBy: Int64

  /// Creates an earlier result.
  package init(
    outcome: Outcome, attempts: Int64, deferrals: Int64, wasResent: Bool, claimedBy: Int64 = 0
  ) {
    (self.outcome, self.attempts, self.deferrals) = (outcome, attempts, deferrals)
    (self.wasResent, self.claimedBy) = (wasResent, claimedBy)
  }
}

/// The values of a row of `results`.
struct ResultRow {
  let id: Int64
  let result: PushResult
  let list: Int64
  let reason: Int64?
  let pass: Int64
  /// Milliseconds since the run began.
  let at: Int64
  let earlier: EarlierResult?
  /// True if others may have sent the push as well.
  let isLate: Bool

  static let columns = ResultColumn.all.map(\.rawValue)

  /// The values in the order of the columns.
  var values: [StatementParameter] { ResultColumn.all.map(value) }

  /// The earlier result that the next pass will find.
  var summary: EarlierResult {
    EarlierResult(
      outcome: result.outcome, attempts: Int64(result.attempts) + (earlier?.attempts ?? 0),
      deferrals: (result.outcome == .deferred ? 1 : 0) + (earlier?.deferrals ?? 0),
      wasResent: result.wasResentInDoubt || isLate && result.attempts > 0
        || earlier?.wasResent ?? false)
  }

  private func value(_ column: ResultColumn) -> StatementParameter {
    switch column {
    case .id: .int64(id)
    case .token: .bytes(token)
    case .list: .int64(list)
    case .line: .int64(Int64(result.push.line))
    case .outcome: .int64(result.outcome.code)
    case .status: .int64(result.response.map { Int64($0.status.rawValue) })
    case .reason: .int64(reason)
    case .attempts: .int64(summary.attempts)
    case .deferrals: .int64(summary.deferrals)
    case .pass: .int64(pass)
    case .latency: .int64(result.latencyMicroseconds.map { Int64($0) })
    case .at: .int64(at)
    case .timestamp: .int64(result.response?.timestamp)
    case .uniqueID: .bytes(result.response?.uniqueID.map { [UInt8](uniqueID: $0) })
    case .registered: .int64(result.push.chunk.registered(at: result.push.index))
    case .resent: .int64(summary.wasResent ? 1 : 0)
    }
  }

  private var token: [UInt8] {
    var token: [UInt8] = []
    result.push.chunk.withToken(at: result.push.index) { token.append(hex: $0) }
    return token
  }
}
