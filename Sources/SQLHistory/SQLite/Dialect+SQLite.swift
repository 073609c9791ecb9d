extension Dialect {
  /// That of SQLite. The lock to write is taken first, so that nothing inside a transaction can fail
  /// because another process writes.
  static let sqlite = Dialect(
    begin: "BEGIN IMMEDIATE", beginReading: "BEGIN", version: "PRAGMA data_version",
    versionOfResults: "PRAGMA data_version",
    idIsAmong: "id IN (SELECT value FROM json_each(?))", newWord: "VALUES (?1)", lockWords: nil,
    lastDigits: { "lower(substr(hex(token), -\($0)))" }, hasQueue: false)
}
