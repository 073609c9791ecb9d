public import APNS

/// The source of a run's apns-ids: a given id, or random bits shared by all its pushes.
public struct RunIdentity: Sendable, Hashable {
  /// The `apns-id` given for the only push; nil when each push has its own.
  public let given: APNSID?

  /// The random bits in the run's own `apns-id`s.
  public let bits: APNSID.RunBits

  /// Restores the identity of an existing run.
  public init(given: APNSID?, bits: APNSID.RunBits) {
    self.given = given
    self.bits = bits
  }

  /// The `apns-id` of a push, the same on every resend.
  public func apnsID(of push: Push) -> APNSID { apnsID(ofSequence: push.sequence) }

  /// The `apns-id` of the push with this number in its run.
  public func apnsID(ofSequence sequence: UInt64) -> APNSID {
    given ?? APNSID(bits, sequence: sequence)
  }
}
