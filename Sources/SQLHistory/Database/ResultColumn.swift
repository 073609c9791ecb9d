/// The columns of `results` and `pushes`.
enum ResultColumn: String, CaseIterable {
  case id, token, list, line, outcome, status, reason, attempts, deferrals, pass, latency, at
  case timestamp
  case uniqueID = "unique_id"
  case registered, resent

  static let all = Array(allCases)
}

/// The time at which a deferred push is due.
package enum Deferral {
  /// The first wait in milliseconds. Apple asks to wait 15 minutes and to back off ("Handling
  /// notification responses from APNs").
  private static let firstWait: Int64 = 900_000

  /// The limit on doublings: each deferral doubles the wait, up to ten days.
  private static let mostDoublings: Int64 = 10

  /// An SQL expression for a row of `results`: milliseconds after the start of its run.
  package static let due = """
    at + (\(firstWait) << CAST(CASE WHEN deferrals < 1 THEN 0 WHEN deferrals > \(mostDoublings)
      THEN \(mostDoublings) ELSE deferrals - 1 END AS INTEGER))
    """

  /// The wait after a number of deferrals, in milliseconds.
  package static func wait(after deferrals: Int64) -> Int64 {
    firstWait << min(max(deferrals, 1) - 1, mostDoublings)
  }
}
