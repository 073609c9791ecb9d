public import APNS
public import HTTP2
public import PushModel

extension RunIdentity {
  /// The identity of a new run.
  ///
  /// - Parameter given: the `apns-id` of the only push; nil gives each push one of its own.
  public init(given: APNSID?, _ clock: RunClock) {
    self.init(
      given: given,
      bits: APNSID.RunBits(clock.random(), UInt16(truncatingIfNeeded: clock.random())))
  }
}
