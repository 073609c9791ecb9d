internal import PushModel

/// The tables of the history, and the migrations of older ones.
enum SQLiteSchema {
  /// The newest version, kept in the database as `user_version`.
  static var version: Int { migrations.count }

  /// The steps from an empty database to the newest one. A step that was released is never changed;
  /// a change is a new step at the end.
  static let migrations = [
    runsAndResults, questions, lineage, following, channels, accepted, figures,
  ]

  // Times are milliseconds since 1970 UTC. `results.at` counts from the start of its run, which
  // takes half the space. The process that sends a run is named in the file of its `RunLease`, no
  // longer in `owner_pid` and `owner_host`.
  private static let runsAndResults = """
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      started INTEGER NOT NULL,
      finished INTEGER,
      state TEXT NOT NULL,
      kind TEXT NOT NULL,
      environment TEXT NOT NULL,
      server TEXT,
      version TEXT NOT NULL,
      scenario TEXT,
      step INTEGER,
      push_type TEXT,
      topic TEXT,
      headers TEXT NOT NULL,
      payload TEXT NOT NULL,
      variables TEXT NOT NULL,
      settings TEXT NOT NULL,
      at_most_once INTEGER NOT NULL,
      id_high INTEGER NOT NULL,
      id_low INTEGER NOT NULL,
      apns_id TEXT,
      expiration INTEGER,
      owner_pid INTEGER,
      owner_host TEXT,
      summary TEXT
    ) STRICT;

    CREATE TABLE progress (
      run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
      claimed INTEGER NOT NULL DEFAULT 0,
      pass INTEGER NOT NULL DEFAULT 0,
      pass_claimed INTEGER NOT NULL DEFAULT 0,
      pass_due INTEGER NOT NULL DEFAULT 0,
      last INTEGER,
      accepted INTEGER NOT NULL DEFAULT 0,
      rejected INTEGER NOT NULL DEFAULT 0,
      skipped INTEGER NOT NULL DEFAULT 0,
      deferred INTEGER NOT NULL DEFAULT 0,
      unknown INTEGER NOT NULL DEFAULT 0,
      not_attempted INTEGER NOT NULL DEFAULT 0,
      lines INTEGER,
      bad_lines INTEGER,
      duplicates INTEGER,
      suppressed INTEGER,
      other_shards INTEGER,
      is_indexed INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE reasons (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE) STRICT;

    CREATE TABLE lists (
      id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE results (
      id INTEGER PRIMARY KEY,
      token BLOB NOT NULL,
      list INTEGER NOT NULL,
      line INTEGER NOT NULL,
      outcome INTEGER NOT NULL,
      status INTEGER,
      reason INTEGER,
      attempts INTEGER NOT NULL,
      deferrals INTEGER NOT NULL,
      pass INTEGER NOT NULL,
      latency INTEGER,
      at INTEGER NOT NULL,
      timestamp INTEGER,
      unique_id ANY,
      registered INTEGER,
      resent INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE token_tails (
      block INTEGER NOT NULL,
      first INTEGER NOT NULL,
      entries BLOB NOT NULL,
      PRIMARY KEY (block, first)
    ) STRICT, WITHOUT ROWID;
    """

  /// Indexes for common queries. Accepted pushes are in neither of the two indexes on results,
  /// whose entries are inserted in the order of the rows.
  private static let questions = """
    CREATE INDEX runs_identity ON runs (id_high);
    CREATE INDEX runs_given_id ON runs (apns_id) WHERE apns_id IS NOT NULL;
    CREATE INDEX results_reason ON results (reason) WHERE reason IS NOT NULL;
    CREATE INDEX results_outcome ON results (outcome) WHERE outcome <> 0;

    CREATE TABLE payloads (id INTEGER PRIMARY KEY, payload BLOB NOT NULL) STRICT;
    """

  /// The rows that ``Lineage`` writes. Earlier runs have the run they resend in their settings, and
  /// its pushes are found by the lines of their results. The rows of a resend and their origins are
  /// inserted in ascending order, so the index costs little.
  private static let lineage = """
    ALTER TABLE runs ADD COLUMN resends INTEGER;
    ALTER TABLE runs ADD COLUMN resent INTEGER;
    ALTER TABLE runs ADD COLUMN root INTEGER;
    CREATE INDEX runs_root ON runs (root) WHERE root IS NOT NULL;
    CREATE TABLE origins (id INTEGER PRIMARY KEY, origin INTEGER NOT NULL) STRICT;
    CREATE INDEX origins_origin ON origins (origin);

    UPDATE runs SET resends = CASE json_valid(settings) WHEN 1 THEN
        CASE json_type(settings, '$.resends') WHEN 'integer' THEN
          json_extract(settings, '$.resends') END END
      WHERE kind = 'resend';
    UPDATE runs SET resends = NULL WHERE resends NOT BETWEEN 1 AND id - 1;
    UPDATE runs SET root = (
      WITH RECURSIVE older (run) AS (
        SELECT runs.resends
        UNION ALL
        SELECT parent.resends FROM older JOIN runs AS parent ON parent.id = older.run
          WHERE parent.resends IS NOT NULL)
      SELECT min(run) FROM older) WHERE resends IS NOT NULL;
    INSERT INTO origins
      WITH RECURSIVE older (id, origin) AS (
        SELECT results.id, runs.resends << 40 | results.line FROM runs
          CROSS JOIN results ON results.id BETWEEN runs.id << 40 AND (runs.id + 1 << 40) - 1
          WHERE runs.resends IS NOT NULL
        UNION ALL
        SELECT older.id, parent.resends << 40 | results.line FROM older
          JOIN runs AS parent ON parent.id = older.origin >> 40 AND parent.resends IS NOT NULL
          JOIN results ON results.id = older.origin)
      SELECT id, min(origin) FROM older GROUP BY id;
    """

  /// The rows that ``CommitLog`` writes.
  private static let following = """
    CREATE TABLE commits (
      id INTEGER PRIMARY KEY, pass INTEGER NOT NULL, pushes BLOB NOT NULL
    ) STRICT;
    """

  /// The channel that a run sends to instead of device tokens, and the known channels. One that was
  /// only read has no time of creation; a policy newer than this tool is NULL.
  private static let channels = """
    ALTER TABLE runs ADD COLUMN channel TEXT;
    CREATE INDEX runs_channel ON runs (channel) WHERE channel IS NOT NULL;
    CREATE TABLE channels (
      server TEXT NOT NULL,
      bundle_id TEXT NOT NULL,
      id TEXT NOT NULL,
      policy INTEGER,
      created INTEGER,
      request_id TEXT,
      deleted INTEGER,
      PRIMARY KEY (server, bundle_id, id)
    ) STRICT, WITHOUT ROWID;
    """

  /// The rows that ``AcceptedWriter`` writes: values of ``AcceptedPushes``, each under the number
  /// of the row that its first push would have. All other results are in `results`.
  private static let accepted = """
    CREATE TABLE accepted (
      id INTEGER PRIMARY KEY, pass INTEGER NOT NULL, count INTEGER NOT NULL, pushes BLOB NOT NULL
    ) STRICT;
    """
}

extension SQLiteSchema {
  /// Migrates the tables, and marks the file as ours.
  static func migrate(_ driver: SQLiteDriver) throws(HistoryError) {
    if try driver.number("PRAGMA user_version") == Int64(version) { return }
    try Database(driver).transaction { () throws(HistoryError) in
      // Another process may have done it while this one waited.
      let found = max(0, Int(try driver.number("PRAGMA user_version")))
      for step in migrations.dropFirst(found) { try driver.execute(step) }
      try driver.execute("PRAGMA application_id = \(Database.applicationID)")
      try driver.execute("PRAGMA user_version = \(version)")
    }
  }
}
