internal import APNS
internal import PushModel
internal import Reporting

/// The pushes of a run, counted before it is sent.
struct PlannedPushes {
  /// The most pushes that are counted.
  static let limit = 1_000_000

  /// One of them.
  struct Sample {
    /// Nil while no recipient is known.
    var token: String?
    let payload: [UInt8]
  }

  private(set) var count = 0
  /// The count is complete.
  private(set) var isExact: Bool
  private(set) var sample: Sample?
  /// The recipients, with what their rows add to the payload.
  private(set) var digest = PlanDigest()

  /// - Throws: `Failure.list` when a list cannot be read.
  init(
    _ message: Message, to recipients: PlannedRecipients, upTo limit: Int = Self.limit
  ) throws(Failure) {
    isExact = recipients.canAllBeRead
    sample = try Self.sample(of: message, to: recipients)
    var (count, isCutOff, digest) = (0, false, PlanDigest())
    try recipients.forEachPush(message.values) { push in
      isCutOff = count == limit
      if isCutOff { return false }
      count += 1
      digest.add(push)
      return true
    }
    if isCutOff {
      isExact = false
      for print in try recipients.prints() { digest.add(print) }
    }
    (self.count, self.digest) = (count, digest)
  }

  /// The first push that is not skipped.
  private static func sample(
    of message: Message, to recipients: PlannedRecipients
  ) throws(Failure) -> Sample? {
    let constant = message.constantPayload?.bytes
    var sample = constant.map { Sample(payload: $0) }
    try recipients.forEachPush(message.rendering) { push in
      if push.chunk.problems(at: push.index) != nil { return true }
      let payload = push.chunk.withPayload(at: push.index) { Array($0) }
      sample = Sample(token: push.token, payload: payload ?? constant ?? [])
      return false
    }
    return sample
  }
}

extension PlanDigest {
  /// Adds the recipient of a push, and the values of its row.
  fileprivate mutating func add(_ push: Push) {
    push.chunk.withToken(at: push.index) { add($0) }
    push.chunk.withPayload(at: push.index) { add($0) }
  }
}
