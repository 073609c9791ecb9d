/// When a deferred push is due.
package enum Deferral {
  /// Apple asks to wait 15 minutes and to back off ("Handling notification responses from APNs");
  /// in milliseconds.
  private static let firstWait: Int64 = 900_000

  /// Each deferral doubles the wait, up to ten days.
  private static let mostDoublings: Int64 = 10

  /// In SQL, for a row of `results`: milliseconds after the start of its run.
  package static let due = """
    at + (\(firstWait) << CAST(CASE WHEN deferrals < 1 THEN 0 WHEN deferrals > \(mostDoublings)
      THEN \(mostDoublings) ELSE deferrals - 1 END AS INTEGER))
    """

  /// The same wait in milliseconds, after so many deferrals.
  package static func wait(after deferrals: Int64) -> Int64 {
    firstWait << min(max(deferrals, 1) - 1, mostDoublings)
  }
}
