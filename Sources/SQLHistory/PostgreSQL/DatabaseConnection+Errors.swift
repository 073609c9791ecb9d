internal import CPQ

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
