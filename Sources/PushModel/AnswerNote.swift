internal import APNS

/// An answer as a run notes it until its result is committed. Its bytes are written to a file as
/// they stand, and read there by a process on the same machine.
public struct AnswerNote: BitwiseCopyable, Sendable, Hashable {
  /// The last push of the run that may have been sent when this was written.
  package var mark: UInt64 = 0
  /// The number of the push; 0 in a note that has only a mark.
  package let sequence: UInt64
  private let answeredAt: Int64
  private let timestamp: Int64
  private let latency: UInt32
  private let attempts: UInt16
  private let status: UInt16
  /// The place in the table of reasons, from 1; 0 for none, and for one that is not there.
  private let reason: UInt16
  private let outcomeCode: UInt8
  private let wasResent: UInt8
  // A page of a file holds whole notes of 64 bytes, so a write that a kill cuts short ends with one.
  private let unused1: UInt64 = 0
  private let unused2: UInt64 = 0

  private static let none = Int64.min
  private static let places = Dictionary(
    uniqueKeysWithValues: zip(Reason.table.map(\.reason), 1...))

  /// Creates a note that has only a mark.
  package init() {
    (sequence, answeredAt, timestamp) = (0, Self.none, Self.none)
    (latency, attempts, status, reason, outcomeCode, wasResent) = (0, 0, 0, 0, 0, 0)
  }

  /// The note of a push that was accepted at its first attempt.
  package init(_ accepted: AcceptedPush, of chunk: PushChunk) {
    sequence = chunk.sequence(at: accepted.index)
    (answeredAt, timestamp) = (accepted.answeredAt, Self.none)
    latency = UInt32(clamping: accepted.latencyMicroseconds)
    (attempts, status, reason) = (1, UInt16(clamping: Status.accepted.rawValue), 0)
    (outcomeCode, wasResent) = (UInt8(Outcome.accepted.code), 0)
  }

  /// The note of a result; nil unless an answer led to it.
  package init?(_ result: borrowing PushResult) {
    guard result.outcome != .unknown, let response = result.response else { return nil }
    sequence = result.push.sequence
    answeredAt = result.answeredAt ?? Self.none
    timestamp = response.timestamp ?? Self.none
    latency = UInt32(clamping: result.latencyMicroseconds ?? 0)
    attempts = UInt16(clamping: result.attempts)
    status = UInt16(clamping: response.status.rawValue)
    reason = response.reason.flatMap { Self.places[$0] }.map { UInt16($0) } ?? 0
    outcomeCode = UInt8(result.outcome.code)
    wasResent = result.wasResentInDoubt ? 1 : 0
  }

  /// The outcome that followed from the answer.
  package var outcome: Outcome { Outcome(code: Int64(outcomeCode)) }

  /// The result of this push, which the note is about.
  func result(of push: Push) -> PushResult {
    let reasons = Reason.table
    let response = Response(
      status: Status(rawValue: Int(status)),
      reason: reason > 0 && reason <= reasons.count ? reasons[Int(reason) - 1].reason : nil,
      timestamp: timestamp == Self.none ? nil : timestamp)
    return PushResult(
      push: push, outcome: outcome, response: response, attempts: Int(attempts),
      wasResentInDoubt: wasResent != 0, latencyMicroseconds: Int(latency),
      answeredAt: answeredAt == Self.none ? nil : answeredAt)
  }
}
