extension PostgreSQLSchema {
  /// The figures of the last pass of a run, as in ``SQLiteSchema``.
  static let figures = """
    CREATE TABLE figures (
      run BIGINT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
      environment TEXT NOT NULL,
      pass BIGINT,
      lines BIGINT,
      bad_lines BIGINT,
      duplicates BIGINT,
      suppressed BIGINT,
      other_shards BIGINT,
      accepted BIGINT,
      rejected BIGINT,
      skipped BIGINT,
      deferred BIGINT,
      unknown BIGINT,
      not_attempted BIGINT,
      is_unread BIGINT NOT NULL,
      unread_list TEXT,
      unread_line BIGINT,
      unread_count BIGINT,
      sent BIGINT,
      resent BIGINT,
      nanoseconds BIGINT,
      p50 BIGINT,
      p95 BIGINT,
      p99 BIGINT,
      connections BIGINT,
      connections_limit TEXT
    );

    CREATE TABLE refusals (
      run BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      reason TEXT COLLATE "C" NOT NULL,
      count BIGINT NOT NULL,
      PRIMARY KEY (run, reason)
    );

    CREATE TABLE answers (
      run BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      place BIGINT NOT NULL,
      environment TEXT NOT NULL,
      status BIGINT,
      reason TEXT,
      PRIMARY KEY (run, place)
    );

    CREATE FUNCTION kept_json(summary TEXT) RETURNS JSONB LANGUAGE plpgsql AS $$
      BEGIN RETURN summary::jsonb; EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$;
    CREATE FUNCTION kept_number(kept JSONB, path TEXT[], scale NUMERIC DEFAULT 1) RETURNS BIGINT
      LANGUAGE plpgsql AS $$
      BEGIN RETURN round((kept #>> path)::numeric * scale);
        EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$;

    WITH found AS MATERIALIZED (
      SELECT id, environment, state, kept_json(summary) AS kept FROM runs WHERE summary IS NOT NULL)
    INSERT INTO figures
      SELECT id, coalesce(kept ->> 'environment', environment), \(number("pass")),
        \(number("lines")), \(number("badLines")), \(number("duplicates")),
        \(number("suppressed")), \(number("otherShards")), \(number("accepted")),
        \(number("rejected")), \(number("skipped")), \(number("deferred")), \(number("unknown")),
        \(number("notAttempted")),
        CASE jsonb_typeof(kept -> 'unread') WHEN 'object' THEN 1 WHEN 'null' THEN 0
          ELSE CAST(state <> 'finished' AS INTEGER) END,
        kept #>> '{unread, list}', \(number("unread, line")), \(number("unread, recipients")),
        coalesce(round(\(number("seconds", 1e9)) * \(number("pushesPerSecond", 1e9)) / 1e18), 0),
        \(number("resentInDoubt")), \(number("seconds", 1e9)), \(number("latency, p50", 1e3)),
        \(number("latency, p95", 1e3)), \(number("latency, p99", 1e3)), \(number("connections")),
        kept ->> 'connectionsLimit'
        FROM found WHERE \(number("seconds")) IS NOT NULL;

    INSERT INTO refusals
      SELECT id, key, kept_number(value, '{}') FROM runs, jsonb_each(
          CASE jsonb_typeof(kept_json(summary) -> 'reasons') WHEN 'object'
            THEN kept_json(summary) -> 'reasons' ELSE '{}' END)
        WHERE kept_number(value, '{}') IS NOT NULL;

    INSERT INTO answers
      SELECT id, place - 1, value ->> 'environment', kept_number(value, '{status}'),
          value ->> 'reason'
        FROM runs, jsonb_array_elements(
          CASE jsonb_typeof(kept_json(summary) -> 'asked') WHEN 'array'
            THEN kept_json(summary) -> 'asked' ELSE '[]' END) WITH ORDINALITY AS asked (value, place)
        WHERE value ->> 'environment' IS NOT NULL;

    UPDATE runs SET summary = NULL;
    DROP FUNCTION kept_number(JSONB, TEXT[], NUMERIC);
    DROP FUNCTION kept_json(TEXT);
    """

  private static func number(_ path: String, _ scale: Double = 1) -> String {
    "kept_number(kept, '{\(path)}', \(scale))"
  }
}
