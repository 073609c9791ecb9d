extension SQLiteSchema {
  /// The figures of the last pass of a run, in place of the printed summary, which `runs.summary`
  /// held as JSON. `reason` is the text that people read; `place` numbers the environments that
  /// were tried.
  static let figures = """
    CREATE TABLE figures (
      run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
      environment TEXT NOT NULL,
      pass INTEGER,
      lines INTEGER,
      bad_lines INTEGER,
      duplicates INTEGER,
      suppressed INTEGER,
      other_shards INTEGER,
      accepted INTEGER,
      rejected INTEGER,
      skipped INTEGER,
      deferred INTEGER,
      unknown INTEGER,
      not_attempted INTEGER,
      is_unread INTEGER NOT NULL,
      unread_list TEXT,
      unread_line INTEGER,
      unread_count INTEGER,
      sent INTEGER,
      resent INTEGER,
      nanoseconds INTEGER,
      p50 INTEGER,
      p95 INTEGER,
      p99 INTEGER,
      connections INTEGER,
      connections_limit TEXT
    ) STRICT;

    CREATE TABLE refusals (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      reason TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (run, reason)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE answers (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      environment TEXT NOT NULL,
      status INTEGER,
      reason TEXT,
      PRIMARY KEY (run, place)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO figures
      SELECT id, coalesce(\(text("environment")), environment), \(count("pass")), \(count("lines")),
        \(count("badLines")), \(count("duplicates")), \(count("suppressed")),
        \(count("otherShards")), \(count("accepted")), \(count("rejected")), \(count("skipped")),
        \(count("deferred")), \(count("unknown")), \(count("notAttempted")),
        CASE json_type(kept, '$.unread') WHEN 'object' THEN 1 WHEN 'null' THEN 0
          ELSE state <> 'finished' END,
        \(text("unread.list")), \(count("unread.line")), \(count("unread.recipients")),
        CAST(round(coalesce(\(number("seconds")) * \(number("pushesPerSecond")), 0)) AS INTEGER),
        \(count("resentInDoubt")), CAST(round(1e9 * \(number("seconds"))) AS INTEGER),
        CAST(round(1e3 * \(number("latency.p50"))) AS INTEGER),
        CAST(round(1e3 * \(number("latency.p95"))) AS INTEGER),
        CAST(round(1e3 * \(number("latency.p99"))) AS INTEGER),
        \(count("connections")), \(text("connectionsLimit"))
        FROM (\(kept)) WHERE \(number("seconds")) IS NOT NULL;

    INSERT OR IGNORE INTO refusals
      SELECT found.id, member.key, member.value
        FROM (\(kept)) AS found, json_each(kept, '$.reasons') AS member
        WHERE member.type = 'integer' AND typeof(member.key) = 'text';

    INSERT OR IGNORE INTO answers
      SELECT found.id, element.key, json_extract(element.value, '$.environment'),
          json_extract(element.value, '$.status'), json_extract(element.value, '$.reason')
        FROM (\(kept)) AS found, json_each(kept, '$.asked') AS element
        WHERE element.type = 'object' AND json_type(element.value, '$.environment') = 'text'
          AND coalesce(json_type(element.value, '$.status'), 'null') IN ('integer', 'null')
          AND coalesce(json_type(element.value, '$.reason'), 'null') IN ('text', 'null');

    UPDATE runs SET summary = NULL;
    """

  /// Runs with their stored summaries; an empty object if that is not JSON.
  private static let kept = """
    SELECT id, environment, state, CASE json_valid(summary) WHEN 1 THEN summary ELSE '{}' END AS kept
      FROM runs
    """

  private static func count(_ path: String) -> String { value(path, "'integer'") }

  private static func number(_ path: String) -> String { value(path, "'real', 'integer'") }

  private static func text(_ path: String) -> String { value(path, "'text'") }

  /// The value at a path, if it is of one of these types.
  private static func value(_ path: String, _ types: String) -> String {
    "CASE WHEN json_type(kept, '$.\(path)') IN (\(types)) THEN json_extract(kept, '$.\(path)') END"
  }
}
