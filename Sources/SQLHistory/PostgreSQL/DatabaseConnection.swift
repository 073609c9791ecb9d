internal import CPQ
internal import POSIX

/// A connection to a PostgreSQL database. It belongs to one thread at a time.
struct DatabaseConnection: ~Copyable {
  /// PostgreSQL 14, as `PQserverVersion` counts.
  static let oldestServer = 140_000

  let handle: OpaquePointer

  /// The server and the database, as `postgresql://HOST:PORT/DATABASE`; without a host on this machine.
  let server: String

  /// The options, to find out whether the server takes other connections.
  private let options: [String: String]
  /// The time to wait before finding that out, in milliseconds; negative waits forever.
  private let patience: Int32
  private let prepared = PreparedStatements()
  /// Returns true once no call may wait for the server any longer.
  var isOver: @Sendable () -> Bool = { false }

  private init(owning handle: OpaquePointer, options: [String: String]) {
    (self.handle, self.options) = (handle, options)
    (server, patience) = (Self.server(of: handle), Self.patience(of: handle))
  }

  deinit { PQfinish(handle) }

  /// Connects. This takes at most the address's `connect_timeout` for each host.
  static func open(_ address: DatabaseAddress) throws(DatabaseError) -> DatabaseConnection {
    let options = address.completed
    guard let handle = withKeywords(options, { PQconnectStartParams($0, $1, 0) }) else {
      let refusal = DatabaseError.Refusal(server: "", state: nil, message: "out of memory")
      throw .cannotConnect(refusal)
    }
    connectSilently(handle)
    let connection = DatabaseConnection(owning: handle, options: options)
    guard PQstatus(handle) == CONNECTION_OK else { throw connection.openingError }
    let version = Int(PQserverVersion(handle))
    guard version >= oldestServer else {
      throw .oldServer(server: connection.server, version: version)
    }
    return connection
  }

  /// Completes the connection without printing the server's notices.
  ///
  /// `PQreset` starts again, which costs another name look-up and an unused connection. But unlike
  /// `PQconnectPoll`, it observes `connect_timeout` and then tries the next host.
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

  /// The `tcp_user_timeout`, after which the system gives up a silent network. 0 waits forever.
  private static func patience(of handle: OpaquePointer) -> Int32 {
    number("tcp_user_timeout", of: handle) ?? -1
  }

  /// The value of an option; nil if it is 0.
  private static func number(_ option: String, of handle: OpaquePointer) -> Int32? {
    guard let found = PQconninfo(handle) else { return nil }
    defer { PQconninfoFree(found) }
    let text = ConnectionOption.values(ConnectionOption.all(found))[option]
    return text.flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Runs one or more statements without parameters, as one transaction.
  ///
  /// - Returns: the result of the last one, as text.
  @discardableResult
  func execute(_ sql: String) throws(DatabaseError) -> QueryResult {
    try answer(PQsendQuery(handle, sql))
  }

  /// Runs the first statements of a connection, which a pooler that has none for it does not answer.
  ///
  /// - Throws: `noneLeft` if nothing is answered within `connect_timeout`.
  func executeFirst(_ sql: String) throws(DatabaseError) -> QueryResult {
    let isSent = PQsendQuery(handle, sql)
    let seconds = min(Self.number("connect_timeout", of: handle) ?? 10, 600)
    var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    if isSent == 1, poll(&socket, 1, 1000 * seconds) == 0 { throw .noneLeft(server: server) }
    return try answer(isSent)
  }

  /// Runs one statement without parameters.
  func query(_ sql: String) throws(DatabaseError) -> QueryResult {
    try answer(PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1))
  }

  /// Runs a statement with values for `$1`, `$2` and so on. The server parses it once for each
  /// connection.
  @discardableResult
  func queryPrepared(
    _ sql: String, _ parameters: [StatementParameter]
  ) throws(DatabaseError) -> QueryResult {
    let name = try preparedName(of: sql, parameters.map(\.type))
    return try answer(
      withEncoded(parameters) { encoded in
        PQsendQueryPrepared(
          handle, name, encoded.count, encoded.values, encoded.lengths, encoded.formats, 1)
      })
  }

  /// The name of the prepared statement. It is prepared again if a parameter that was always NULL
  /// gets a value.
  private func preparedName(
    of sql: String, _ types: [Oid]
  ) throws(DatabaseError) -> String {
    let known = prepared.statements[sql]
    if let known, known.takes(types) { return known.name }
    let statement = PreparedStatements.Entry(
      name: "s\(prepared.count)", types: known?.types(with: types) ?? types)
    _ = try answer(
      PQsendPrepare(handle, statement.name, sql, Int32(types.count), statement.types))
    prepared.add(statement, sql)
    return statement.name
  }

  /// Commits the transaction. The server answers with ROLLBACK if an earlier statement failed.
  ///
  /// - Throws: `lost` if no answer arrived: the transaction may or may not have taken effect.
  func commit() throws(DatabaseError) {
    guard try execute("COMMIT").tag == "COMMIT" else {
      throw .refused(refusal(nil, "the transaction was rolled back"))
    }
  }

  /// Rolls back the transaction, if there is one.
  func rollBack() {
    if PQtransactionStatus(handle) != PQTRANS_IDLE { _ = try? execute("ROLLBACK") }
  }

  /// The number of the server's process, as the other side named it for cancelling.
  var backendNumber: Int32 { PQbackendPID(handle) }

  /// True if the connection can still be used, as far as known without asking the server.
  var isOpen: Bool { PQstatus(handle) == CONNECTION_OK }
}

/// The prepared statements of a connection.
private final class PreparedStatements {
  struct Entry {
    let name: String
    /// The types of the parameters; 0 for a type that the server infers.
    let types: [Oid]

    /// Returns true if values of these types can be passed; 0 is the type of NULL.
    func takes(_ given: [Oid]) -> Bool { given == types || types(with: given) == types }

    /// Returns the types with those of the given values in their place.
    func types(with given: [Oid]) -> [Oid] { zip(given, types).map { $0 == 0 ? $1 : $0 } }
  }

  private(set) var count = 0
  /// The statements, by text.
  private(set) var statements: [String: Entry] = [:]

  func add(_ statement: Entry, _ sql: String) {
    statements[sql] = statement
    count += 1
  }
}

extension DatabaseConnection {
  /// Returns the last result of a call, or throws its failure.
  ///
  /// - Parameter isSent: 1 unless libpq could not send the request.
  func answer(_ isSent: Int32) throws(DatabaseError) -> QueryResult {
    var last: QueryResult?
    while isSent == 1, let result = try nextResult() {
      last = result
      // The rest comes after the rows.
      if PQresultStatus(result.handle) == PGRES_COPY_IN { break }
    }
    guard let last else { throw lastError }
    switch PQresultStatus(last.handle) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_EMPTY_QUERY: return last
    default: throw error(of: last)
    }
  }

  private func nextResult() throws(DatabaseError) -> QueryResult? {
    while PQisBusy(handle) == 1 {
      try waitForServer()
      if PQconsumeInput(handle) == 0 { break }
    }
    return PQgetResult(handle).map { QueryResult(owning: $0, server: server) }
  }

  /// Waits for something to read. A server that is silent for long may still be working on the
  /// answer. If it is frozen, it takes no other connection either.
  private func waitForServer() throws(DatabaseError) {
    var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    var (silence, nextPing) = (0, Int(patience))
    while poll(&socket, 1, Self.look) == 0 {
      silence += Int(Self.look)
      if silence >= Self.lastWait, isOver() { throw giveUp(after: silence) }
      guard patience > 0, silence >= nextPing else { continue }
      if withKeywords(options, { PQpingParams($0, $1, 0) }) == PQPING_NO_RESPONSE {
        throw giveUp(after: Int(patience))
      }
      nextPing = silence + Int(patience)
    }
  }

  /// How often a call that waits looks whether it still may, in milliseconds.
  private static let look: Int32 = 250

  /// The time in milliseconds that even a call of a process that is to end waits: a server that is
  /// far away or busy has answered by then.
  private static let lastWait = 2000

  /// Ends the connection, which is used no more on either side.
  private func giveUp(after silence: Int) -> DatabaseError {
    shutdown(PQsocket(handle), Int32(SHUT_RDWR))
    PQconsumeInput(handle)
    var refusal = refusal(nil, "no answer")
    refusal.silence = silence
    return .lost(refusal)
  }

  /// The error of the last call without a result.
  var lastError: DatabaseError {
    let refusal = refusal(nil, PQerrorMessage(handle).map { String(cString: $0) } ?? "")
    return isOpen ? .refused(refusal) : .lost(refusal)
  }

  /// The error of an attempt to connect.
  var openingError: DatabaseError {
    .cannotConnect(refusal(nil, PQerrorMessage(handle).map { String(cString: $0) } ?? ""))
  }

  /// The error of a failed call. A failure without a condition is libpq's own: the connection
  /// broke, even if it is not closed yet.
  private func error(of failed: QueryResult) -> DatabaseError {
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

  /// The secrets that no message may contain, wherever libpq took them from.
  private var secrets: [String] {
    var secrets = PQpass(handle).map { [String(cString: $0)] } ?? []
    if let options = PQconninfo(handle) {
      secrets += ConnectionOption.all(options).filter(\.isSecret).map(\.value)
      PQconninfoFree(options)
    }
    return secrets.filter { !$0.isEmpty }
  }
}
