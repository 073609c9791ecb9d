public import PushModel

extension HistoryError {
  /// What a failed call means for the history.
  ///
  /// - Parameter lockMilliseconds: how long the connection waits for others.
  init(_ error: DatabaseError, lockMilliseconds: Int) {
    switch error {
    case .invalidAddress: self = .invalidAddress
    case .secretInAddress: self = .secretInAddress
    case .cannotConnect(let refusal):
      self = .cannotConnect(server: refusal.server, reason: refusal.message)
    case .oldServer(let server, let version):
      self = .oldServer(server: server, found: version / 10_000, needed: 14)
    case .lost(let refusal): self = .connectionLost(server: refusal.server)
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

  /// Whether the same may succeed later: the database is away, on its way to another server,
  /// full or busy.
  public var mayPass: Bool {
    switch self {
    case .cannotConnect, .connectionLost, .full, .locked, .readOnly: true
    case .refused(_, let state, _): state.isEmpty || Self.passingClasses.contains(state.prefix(2))
    default: false
    }
  }

  /// Of SQLSTATE: a connection that failed, a transaction to be repeated, no resources, an operator's
  /// intervention, and an error of the system.
  private static let passingClasses: Set<Substring> = ["08", "40", "53", "57", "58"]
}
