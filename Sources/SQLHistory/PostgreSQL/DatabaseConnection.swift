internal import CPQ

/// The one owner of a connection to a PostgreSQL database. It belongs to one thread at a time.
struct DatabaseConnection: ~Copyable {
  /// PostgreSQL 14, as `PQserverVersion` counts.
  static let oldestServer = 140_000

  let handle: OpaquePointer

  /// The server and the database, as `postgresql://HOST:PORT/DATABASE`; without a host on this machine.
  let server: String

  private let prepared = PreparedStatements()

  private init(owning handle: OpaquePointer) {
    self.handle = handle
    server = Self.server(of: handle)
  }

  deinit { PQfinish(handle) }

  /// Connects, which takes as long as the address's `connect_timeout` at most for each of its hosts.
  static func open(_ address: DatabaseAddress) throws(DatabaseError) -> DatabaseConnection {
    guard let handle = withKeywords(address.completed, { PQconnectStartParams($0, $1, 0) })
    else {
      let refusal = DatabaseError.Refusal(server: "", state: nil, message: "out of memory")
      throw .cannotConnect(refusal)
    }
    connectSilently(handle)
    let connection = DatabaseConnection(owning: handle)
    guard PQstatus(handle) == CONNECTION_OK else { throw connection.openingError }
    let version = Int(PQserverVersion(handle))
    guard version >= oldestServer else {
      throw .oldServer(server: connection.server, version: version)
    }
    return connection
  }

  /// Completes what was begun, with nothing that the server says on the way printed.
  ///
  /// `PQreset` begins anew, which costs another look-up of the name and a connection that is not used.
  /// But unlike `PQconnectPoll` it keeps to `connect_timeout`, and then goes on to the next host.
  private static func connectSilently(_ handle: OpaquePointer) {
    if PQstatus(handle) == CONNECTION_BAD { return }
    fanfare_pq_silence(handle)
    PQreset(handle)
  }

  private static func server(of handle: OpaquePointer) -> String {
    let name = PQdb(handle).map { String(cString: $0) } ?? ""
    let host = PQhost(handle).map { String(cString: $0) } ?? ""
    if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return "postgresql:///\(name)" }
    let port = PQport(handle).map { String(cString: $0) } ?? ""
    return "postgresql://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(name)"
  }

  /// Runs one statement or several that take no values. Several are one transaction.
  ///
  /// - Returns: what the last one gave, as text.
  @discardableResult
  func execute(_ sql: String) throws(DatabaseError) -> Rows { try checked(PQexec(handle, sql)) }

  /// Runs one statement that takes no values.
  func query(_ sql: String) throws(DatabaseError) -> Rows {
    try checked(PQexecParams(handle, sql, 0, nil, nil, nil, nil, 1))
  }

  /// Runs a statement with values for `$1`, `$2` and so on. The server parses it once for each
  /// connection.
  @discardableResult
  func queryPrepared(
    _ sql: String, _ parameters: [StatementParameter]
  ) throws(DatabaseError) -> Rows {
    let name = try preparedName(of: sql, parameters.map(\.type))
    return try checked(
      withEncoded(parameters) { encoded in
        PQexecPrepared(
          handle, name, encoded.count, encoded.values, encoded.lengths, encoded.formats, 1)
      })
  }

  /// A value of another type than before, if only NULL was there before, needs it prepared again.
  private func preparedName(
    of sql: String, _ types: [Oid]
  ) throws(DatabaseError) -> String {
    let known = prepared.statements[sql]
    if let known, known.takes(types) { return known.name }
    let statement = PreparedStatements.Entry(
      name: "s\(prepared.count)", types: known?.types(with: types) ?? types)
    _ = try checked(
      PQprepare(handle, statement.name, sql, Int32(types.count), statement.types))
    prepared.add(statement, sql)
    return statement.name
  }

  /// Ends a transaction. The server answers with ROLLBACK when a statement before it has failed.
  ///
  /// - Throws: `lost` when no answer has come: then it may or may not have taken effect.
  func commit() throws(DatabaseError) {
    guard try execute("COMMIT").tag == "COMMIT" else {
      throw .refused(refusal(nil, "the transaction was rolled back"))
    }
  }

  /// Ends a transaction, if there is one, as if it had not been.
  func rollBack() {
    if PQtransactionStatus(handle) != PQTRANS_IDLE { PQclear(PQexec(handle, "ROLLBACK")) }
  }

  /// Whether the connection can still be used, as far as is known without asking the server.
  var isOpen: Bool { PQstatus(handle) == CONNECTION_OK }
}

/// What a connection has prepared.
private final class PreparedStatements {
  struct Entry {
    let name: String
    /// 0 for a type that the server was left to find.
    let types: [Oid]

    /// Whether values of these types can be given; 0 is that of NULL.
    func takes(_ given: [Oid]) -> Bool { given == types || types(with: given) == types }

    /// Its types, but for those that are given.
    func types(with given: [Oid]) -> [Oid] { zip(given, types).map { $0 == 0 ? $1 : $0 } }
  }

  private(set) var count = 0
  /// By their text.
  private(set) var statements: [String: Entry] = [:]

  func add(_ statement: Entry, _ sql: String) {
    statements[sql] = statement
    count += 1
  }
}

extension DatabaseConnection {
  /// What a call gave, or why it failed.
  ///
  /// - Parameter result: taken over; nil when libpq could not even ask.
  func checked(_ result: OpaquePointer?) throws(DatabaseError) -> Rows {
    guard let result else { throw lastError }
    let rows = Rows(owning: result, server: server)
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_EMPTY_QUERY: return rows
    default: throw error(of: rows)
    }
  }

  /// Why the last call failed that gave no result.
  var lastError: DatabaseError {
    let refusal = refusal(nil, PQerrorMessage(handle).map { String(cString: $0) } ?? "")
    return isOpen ? .refused(refusal) : .lost(refusal)
  }

  /// Why no connection came about.
  var openingError: DatabaseError {
    .cannotConnect(refusal(nil, PQerrorMessage(handle).map { String(cString: $0) } ?? ""))
  }

  /// A failure without a condition is libpq's own: the connection broke, although it may not be closed
  /// yet.
  private func error(of failed: Rows) -> DatabaseError {
    let state = fanfare_pq_state(failed.handle).map { SQLState(rawValue: String(cString: $0)) }
    let message =
      fanfare_pq_message(failed.handle) ?? UnsafePointer(PQresultErrorMessage(failed.handle))
    let refusal = refusal(state, message.map { String(cString: $0) } ?? "")
    return isOpen && state?.endsConnection == false ? .refused(refusal) : .lost(refusal)
  }

  func refusal(_ state: SQLState?, _ message: String) -> DatabaseError.Refusal {
    let line = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return DatabaseError.Refusal(
      server: server, state: state,
      message: secrets.reduce(line) { $0.replacing($1, with: "…") })
  }

  /// What no message may hold, wherever libpq has it from.
  private var secrets: [String] {
    var secrets = PQpass(handle).map { [String(cString: $0)] } ?? []
    if let options = PQconninfo(handle) {
      secrets += ConnectionOption.all(options).filter(\.isSecret).map(\.value)
      PQconninfoFree(options)
    }
    return secrets.filter { !$0.isEmpty }
  }
}
