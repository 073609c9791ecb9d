public import APNS

/// What the apns-ids of a run are made of: an id that was given, or random bits that all its pushes
/// share.
public struct RunIdentity: Sendable, Hashable {
  /// The `apns-id` that the only push was given; nil when each push has one of its own.
  public let given: APNSID?

  /// What the run's own `apns-id`s are made of.
  public let bits: APNSID.RunBits

  /// The identity of a run that has begun before.
  public init(given: APNSID?, bits: APNSID.RunBits) {
    self.given = given
    self.bits = bits
  }

  /// The `apns-id` of a push, the same on every resend.
  public func apnsID(of push: Push) -> APNSID { apnsID(ofSequence: push.sequence) }

  /// The `apns-id` of the push with a number in its run.
  public func apnsID(ofSequence sequence: UInt64) -> APNSID {
    given ?? APNSID(bits, sequence: sequence)
  }
}
