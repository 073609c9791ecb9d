public import PushModel

/// An error of a call to PostgreSQL. It never contains the connection string or a password.
enum DatabaseError: Error, Hashable, Sendable {
  /// The text is not a libpq connection string. libpq's own words would quote it.
  case invalidAddress
  /// The text holds a password or another secret, which others could read in a list of processes.
  case secretInAddress
  /// The connection could not be made.
  case cannotConnect(Refusal)
  /// The connection was made, but nothing was answered on it: a pooler has none left.
  case noneLeft(server: String)
  /// A pooler gives each transaction another session of the server.
  case pooledTransactions(server: String)
  /// The server is older than `DatabaseConnection.oldestServer`: its number, such as 130011.
  case oldServer(server: String, version: Int)
  /// The connection is lost. A COMMIT in transit may or may not have taken effect.
  case lost(Refusal)
  /// The server refused the statement. The connection can still be used.
  case refused(Refusal)
  /// A column has a value that this tool never writes.
  case unexpectedValue(server: String, column: String)

  /// The message about a failure, and the server that sent it.
  struct Refusal: Hashable, Sendable {
    /// The server, as `postgresql://HOST:PORT/DATABASE`.
    var server: String
    /// The condition; nil if libpq itself failed.
    var state: SQLState?
    /// The message on one line, without secrets, in the server's language.
    var message: String
    /// The time in milliseconds after which the server was given up; nil if it answered.
    var silence: Int?
  }

  /// The message, if there is one.
  var refusal: Refusal? {
    switch self {
    case .cannotConnect(let refusal), .lost(let refusal), .refused(let refusal): refusal
    case .invalidAddress, .secretInAddress, .noneLeft, .pooledTransactions, .oldServer,
      .unexpectedValue:
      nil
    }
  }

  /// The condition that the server named.
  var state: SQLState? { refusal?.state }
}

/// The five-character code of a condition (appendix A of PostgreSQL's manual).
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
  /// A read beyond the end of a packed value.
  static let arraySubscript: SQLState = "2202E"
  static let indexCorrupted: SQLState = "XX002"
  /// A number that is too large for a calculation.
  static let numericValueOutOfRange: SQLState = "22003"
  /// A part of a packed value whose length is negative.
  static let substringError: SQLState = "22011"

  /// True if the server closes the connection with it: it shuts down, crashed, is still starting,
  /// or the session was idle for too long.
  var endsConnection: Bool {
    ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(rawValue)
  }
}

extension HistoryError {
  /// Creates the history's error for a failed call.
  ///
  /// - Parameter lockMilliseconds: the time that the connection waits for others.
  init(_ error: DatabaseError, lockMilliseconds: Int) {
    switch error {
    case .invalidAddress: self = .invalidAddress
    case .secretInAddress: self = .secretInAddress
    case .cannotConnect(let refusal):
      self = .cannotConnect(server: refusal.server, reason: refusal.message)
    case .noneLeft(let server): self = .noConnectionLeft(server: server)
    case .pooledTransactions(let server): self = .pooledTransactions(server: server)
    case .oldServer(let server, let version):
      self = .oldServer(server: server, found: version / 10_000, needed: 14)
    case .lost(let refusal):
      self = .connectionLost(server: refusal.server, silence: refusal.silence)
    case .refused(let refusal): self = HistoryError(refusal, lockMilliseconds: lockMilliseconds)
    case .unexpectedValue(let server, _): self = .corrupt(path: server)
    }
  }

  private init(_ refusal: DatabaseError.Refusal, lockMilliseconds: Int) {
    switch refusal.state {
    case .lockNotAvailable?: self = .locked(milliseconds: lockMilliseconds)
    case .diskFull?: self = .full
    case .readOnlyTransaction?: self = .readOnly
    case .insufficientPrivilege?:
      self = .denied(server: refusal.server, reason: refusal.message)
    case .undefinedTable?, .invalidSchemaName?: self = .missing(path: refusal.server)
    case .dataCorrupted?, .indexCorrupted?, .arraySubscript?, .numericValueOutOfRange?,
      .substringError?:
      self = .corrupt(path: refusal.server)
    default:
      self = .refused(
        server: refusal.server, state: refusal.state?.rawValue ?? "", reason: refusal.message)
    }
  }

  /// True if the same call may succeed later: the database is away, moving to another server, full
  /// or busy.
  public var mayPass: Bool {
    switch self {
    case .cannotConnect, .noConnectionLeft, .connectionLost, .full, .locked, .readOnly: true
    case .refused(_, let state, _): state.isEmpty || Self.passingClasses.contains(state.prefix(2))
    default: false
    }
  }

  /// True if a call that succeeded before may succeed again: also when a right was taken away, perhaps
  /// by mistake.
  public var mayPassInRun: Bool { if case .denied = self { true } else { mayPass } }

  /// The SQLSTATE classes of such errors: connection exceptions, transactions to be repeated, lack
  /// of resources, operator intervention, and system errors.
  private static let passingClasses: Set<Substring> = ["08", "40", "53", "57", "58"]
}
