/// The tables of a history, in SQLite's form of SQL. A connection to PostgreSQL has them in a schema of
/// their own, and translates the types.
///
/// From the first release on they stay as they are: a change is then a step from one version to the
/// next.
///
/// Times are milliseconds since 1970 UTC. `results.at` counts from the start of its run, which takes
/// half the space. Texts that are sorted or compared ignoring case are compared byte by byte, so that
/// results do not depend on the database's locale.
enum HistoryTables {
  /// The version of the tables.
  static let version = 1

  static let text = runs + results + figures + channels

  /// `root` is the oldest run whose pushes a resend sends again. `channel` is where the run sends to
  /// instead of device tokens. `stamp` is of the last commit of whoever has the run's lease
  /// (``PendingCommits``).
  private static let runs = """
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
      resends INTEGER,
      root INTEGER,
      channel TEXT
    ) STRICT;
    CREATE INDEX runs_identity ON runs (id_high);
    CREATE INDEX runs_given_id ON runs (apns_id) WHERE apns_id IS NOT NULL;
    CREATE INDEX runs_root ON runs (root) WHERE root IS NOT NULL;
    CREATE INDEX runs_channel ON runs (channel) WHERE channel IS NOT NULL;

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
      is_indexed INTEGER NOT NULL DEFAULT 0,
      stamp INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE origins (id INTEGER PRIMARY KEY, origin INTEGER NOT NULL) STRICT;
    CREATE INDEX origins_origin ON origins (origin);

    """

  /// ``AcceptedWriter`` writes `accepted`: values of ``AcceptedPushes``, each under the number of the
  /// row that its first push would have. All other results are in `results`. ``CommitLog`` writes
  /// `commits`.
  private static let results = """
    CREATE TABLE reasons (id INTEGER PRIMARY KEY, word TEXT COLLATE BINARY NOT NULL UNIQUE) STRICT;
    CREATE TABLE lists (id INTEGER PRIMARY KEY, word TEXT COLLATE BINARY NOT NULL UNIQUE) STRICT;

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

    CREATE TABLE accepted (
      id INTEGER PRIMARY KEY, pass INTEGER NOT NULL, count INTEGER NOT NULL, pushes BLOB NOT NULL
    ) STRICT;

    CREATE TABLE commits (
      id INTEGER PRIMARY KEY, pass INTEGER NOT NULL, pushes BLOB NOT NULL
    ) STRICT;

    CREATE TABLE payloads (id INTEGER PRIMARY KEY, payload BLOB NOT NULL) STRICT;

    CREATE TABLE token_tails (
      block INTEGER NOT NULL,
      first INTEGER NOT NULL,
      entries BLOB NOT NULL,
      PRIMARY KEY (block, first)
    ) STRICT, WITHOUT ROWID;

    """

  /// The figures of the last pass of a run. `reason` is the text that people read; `place` numbers
  /// the environments that were tried.
  private static let figures = """
    CREATE TABLE figures (
      run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
      environment TEXT NOT NULL,
      pass INTEGER NOT NULL,
      lines INTEGER NOT NULL,
      bad_lines INTEGER NOT NULL,
      duplicates INTEGER NOT NULL,
      suppressed INTEGER NOT NULL,
      other_shards INTEGER NOT NULL,
      accepted INTEGER NOT NULL,
      rejected INTEGER NOT NULL,
      skipped INTEGER NOT NULL,
      deferred INTEGER NOT NULL,
      unknown INTEGER NOT NULL,
      not_attempted INTEGER NOT NULL,
      is_unread INTEGER NOT NULL,
      unread_list TEXT,
      unread_line INTEGER,
      unread_count INTEGER,
      sent INTEGER NOT NULL,
      resent INTEGER NOT NULL,
      nanoseconds INTEGER NOT NULL,
      p50 INTEGER,
      p95 INTEGER,
      p99 INTEGER,
      connections INTEGER,
      connections_limit TEXT
    ) STRICT;

    CREATE TABLE refusals (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      reason TEXT COLLATE BINARY NOT NULL,
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

    """

  /// The known channels. One that was only read has no time of creation; a policy newer than this
  /// tool is NULL.
  private static let channels = """
    CREATE TABLE channels (
      server TEXT NOT NULL,
      bundle_id TEXT NOT NULL,
      id TEXT COLLATE BINARY NOT NULL,
      policy INTEGER,
      created INTEGER,
      request_id TEXT,
      deleted INTEGER,
      PRIMARY KEY (server, bundle_id, id)
    ) STRICT, WITHOUT ROWID;

    """
}
