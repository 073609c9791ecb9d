extension SQLLedger {
  /// How often a ledger commits.
  public struct Pace: Sendable, Hashable {
    /// How many pushes are claimed at a time. Of these, a kill leaves as many in doubt as were not
    /// answered.
    public var claimStep: UInt64

    /// How many results wait at most.
    public var batchResults: Int

    /// How long results wait at most, in milliseconds.
    public var batchMilliseconds: Int

    /// How long another process is waited for, in milliseconds.
    public var busyMilliseconds: Int

    /// The usual pace.
    public init(
      claimStep: UInt64 = 8192, batchResults: Int = 2000, batchMilliseconds: Int = 200,
      busyMilliseconds: Int = 5000
    ) {
      self.claimStep = claimStep
      self.batchResults = batchResults
      self.batchMilliseconds = batchMilliseconds
      self.busyMilliseconds = busyMilliseconds
    }

    /// For a run whose pushes must not be sent twice: small claims, since what was claimed when its
    /// process was killed is never sent again.
    public static let atMostOnce = Pace(claimStep: 64)
  }
}
