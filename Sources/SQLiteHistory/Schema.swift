internal import PushModel

/// The tables of the history, and how an older history becomes a newer one.
enum Schema {
  /// The newest version, kept in the database as `user_version`.
  static var version: Int { migrations.count }

  /// The steps from an empty database to the newest one. A step that was released is never changed;
  /// a change is a new step at the end.
  static let migrations = [runsAndResults, questions]

  // Times are milliseconds since 1970 UTC. `results.at` counts from the start of its run, which
  // takes half the room.
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

  /// What is asked for often, and what is rare enough to be looked for: an accepted push is in none of
  /// the two indexes on results, whose entries come in the order of the rows.
  private static let questions = """
    CREATE INDEX runs_identity ON runs (id_high);
    CREATE INDEX runs_given_id ON runs (apns_id) WHERE apns_id IS NOT NULL;
    CREATE INDEX results_reason ON results (reason) WHERE reason IS NOT NULL;
    CREATE INDEX results_outcome ON results (outcome) WHERE outcome <> 0;

    CREATE TABLE payloads (id INTEGER PRIMARY KEY, payload BLOB NOT NULL) STRICT;
    """
}

extension Database {
  /// Brings the tables up to date, and marks the file as ours.
  func migrate() throws(HistoryError) {
    if try number("PRAGMA user_version") == Int64(Schema.version) { return }
    try transaction { () throws(HistoryError) in
      // Another process may have done it while this one waited.
      let version = try Int(number("PRAGMA user_version"))
      for step in Schema.migrations.dropFirst(version) { try execute(step) }
      try execute("PRAGMA application_id = \(Self.applicationID)")
      try execute("PRAGMA user_version = \(Schema.version)")
    }
  }
}
