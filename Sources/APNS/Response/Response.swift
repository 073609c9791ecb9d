/// What APNs answered to one attempt.
public struct Response: Sendable, Hashable {
  /// The HTTP status.
  public let status: Status
  /// The `apns-id` as it was answered, often in upper case; nil when absent or not kept.
  public let apnsID: String?
  /// The `apns-unique-id`, which only the sandbox gives; nil otherwise.
  public let uniqueID: String?
  /// Why it was refused; nil for an accepted push, or when no reason could be read.
  public let reason: Reason?
  /// Since when APNs knows that the device token is dead, in milliseconds since 1970; only with 410.
  public let timestamp: Int64?
  /// What time it was here and there, where that may be why it was refused; nil otherwise.
  public var clocks: Clocks?

  /// An answer and what it says.
  public init(
    status: Status, apnsID: String? = nil, uniqueID: String? = nil, reason: Reason? = nil,
    timestamp: Int64? = nil
  ) {
    self.status = status
    self.apnsID = apnsID
    self.uniqueID = uniqueID
    self.reason = reason
    self.timestamp = timestamp
  }

  /// An answer and its body, which is read as far as it can be.
  public init(
    status: Status, apnsID: String? = nil, uniqueID: String? = nil,
    body: UnsafeBufferPointer<UInt8>
  ) {
    let error = status == .accepted ? nil : ErrorBody.parse(body)
    self.init(
      status: status, apnsID: apnsID, uniqueID: uniqueID, reason: error?.reason,
      timestamp: error?.timestamp)
  }
}

extension Response {
  /// Whether APNs took the push: status 200, and nothing else.
  public var isAccepted: Bool { status == .accepted }

  /// When the push may be sent again: what the reason says, else the status; nil when accepted.
  public var retry: RetryClass? {
    isAccepted ? nil : reason?.info?.retry ?? RetryClass(status)
  }

  /// Whether it is a refusal that every push of a run would meet: of the credentials, of the request
  /// as such, of the path.
  public var wouldMeetEveryPush: Bool {
    switch retry {
    case .credentials, .newProviderToken, .afterFix: true
    case .never: status == .notFound || status == .methodNotAllowed || reason == .forbidden
    case nil, .newConnection, .keepToken, .slowToken, .later: false
    }
  }

  /// What the answer says about the device token. Status 410 without a known reason makes it a
  /// candidate.
  public var deadToken: DeadToken {
    if isAccepted { return .no }
    return reason?.info?.deadToken ?? (status == .gone ? .candidate : .no)
  }

  /// Whether the connection is of no more use. A status without a known reason that asks to come
  /// back later may be a proxy's: then the connection is replaced too.
  public var needsNewConnection: Bool {
    guard !isAccepted else { return false }
    return reason?.info?.needsNewConnection ?? (RetryClass(status) == .later)
  }
}

/// What two clocks said at the same moment, in seconds since 1970 UTC: provider tokens say when they
/// were made.
public struct Clocks: Sendable, Hashable {
  /// This machine's.
  public let here: Int64
  /// The server's, by the `date` of its answer; nil when that had none.
  public let server: Int64?

  /// Two times.
  public init(here: Int64, server: Int64?) { (self.here, self.server) = (here, server) }

  /// What they said, to be compared.
  public var sentence: String {
    let others = server.map { ", the server's \(ISO8601.text(seconds: $0))" } ?? ""
    return "This machine's clock said \(ISO8601.text(seconds: here))\(others)."
  }
}
