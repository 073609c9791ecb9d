/// Whether a run has something left that `resume` would do, now or later.
enum Unfinished {
  /// In SQL, over `runs` joined with `progress`. What is unknown counts as
  /// ``RunRecord/resendsUnknown(at:)`` says.
  ///
  /// - Parameter now: in milliseconds since 1970 UTC.
  static func condition(at now: Int64) -> String {
    """
    (state <> 'finished' OR deferred > 0 OR not_attempted > 0
      OR unknown > 0 AND NOT at_most_once
        AND (coalesce(expiration, 0) <= 0 OR expiration > \(now / 1000)))
    """
  }
}
