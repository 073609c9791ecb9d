/// Why a call to PostgreSQL failed. It never holds the connection string or a password.
enum DatabaseError: Error, Hashable, Sendable {
  /// The text is not a libpq connection string. libpq's own words would quote it.
  case invalidAddress
  /// The text holds a password or another secret, which others could read in a list of processes.
  case secretInAddress
  /// No connection came about, for this reason.
  case cannotConnect(Refusal)
  /// The server is older than `DatabaseConnection.oldestServer`: its number, such as 130011.
  case oldServer(server: String, version: Int)
  /// The connection is gone. Whether a COMMIT that was on its way took effect is not known.
  case lost(Refusal)
  /// The server did not do what it was asked to do, and the connection can be used further.
  case refused(Refusal)
  /// A column has a value that this tool never writes.
  case unexpectedValue(server: String, column: String)

  /// What was said about a failure, and by which server.
  struct Refusal: Hashable, Sendable {
    /// The server, as `postgresql://HOST:PORT/DATABASE`.
    var server: String
    /// The condition; nil where libpq itself failed.
    var state: SQLState?
    /// The message on one line, without secrets, in the server's language.
    var message: String
  }

  /// What was said, where somebody said something.
  var refusal: Refusal? {
    switch self {
    case .cannotConnect(let refusal), .lost(let refusal), .refused(let refusal): refusal
    case .invalidAddress, .secretInAddress, .oldServer, .unexpectedValue: nil
    }
  }

  /// The condition that the server named.
  var state: SQLState? { refusal?.state }
}

/// The five characters by which PostgreSQL names a condition (appendix A of its manual).
struct SQLState: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  let rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }

  init(stringLiteral value: String) { rawValue = value }

  static let insufficientPrivilege: SQLState = "42501"
  static let readOnlyTransaction: SQLState = "25006"
  static let undefinedTable: SQLState = "42P01"
  static let invalidSchemaName: SQLState = "3F000"
  static let lockNotAvailable: SQLState = "55P03"
  static let diskFull: SQLState = "53100"
  static let dataCorrupted: SQLState = "XX001"
  /// Bytes of a packed value that are not there.
  static let arraySubscript: SQLState = "2202E"
  static let indexCorrupted: SQLState = "XX002"
  /// A number that is too large for what is computed with it.
  static let numericValueOutOfRange: SQLState = "22003"
  /// A part of a packed value whose length is negative.
  static let substringError: SQLState = "22011"

  /// Whether the server ends the connection with it: it shuts down, crashed, has not started yet, or
  /// was idle for too long.
  var endsConnection: Bool {
    ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(rawValue)
  }
}
