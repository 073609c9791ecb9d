/// APNs' answer to one attempt.
public struct Response: Sendable, Hashable {
  /// The HTTP status.
  public let status: Status
  /// The `apns-id` as returned, often in uppercase; nil if absent or not kept.
  public let apnsID: String?
  /// The `apns-unique-id`, which only the sandbox returns; otherwise nil.
  public let uniqueID: String?
  /// The reason for the rejection; nil for an accepted push, or if no reason could be read.
  public let reason: Reason?
  /// The time at which APNs found the token dead, in milliseconds since 1970; only with 410.
  public let timestamp: Int64?
  /// The time on this machine and on the server, if that may explain the rejection; otherwise nil.
  public var clocks: Clocks?

  /// Creates a response from its parts.
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

  /// Creates a response from a body, which is parsed as far as possible.
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
  /// True if APNs accepted the push: status 200, and nothing else.
  public var isAccepted: Bool { status == .accepted }

  /// The condition for resending the push, from the reason or else the status; nil when accepted.
  public var retry: RetryClass? {
    isAccepted ? nil : reason?.info?.retry ?? RetryClass(status)
  }

  /// True for a rejection that every push of a run would get, because of the credentials, the
  /// request itself or the path.
  public var wouldMeetEveryPush: Bool {
    switch retry {
    case .credentials, .newProviderToken, .afterFix: true
    case .never: status == .notFound || status == .methodNotAllowed || reason == .forbidden
    case nil, .newConnection, .keepToken, .slowToken, .later: false
    }
  }

  /// The verdict on the device token. Status 410 without a known reason makes it a candidate.
  public var deadToken: DeadToken {
    if isAccepted { return .no }
    return reason?.info?.deadToken ?? (status == .gone ? .candidate : .no)
  }

  /// True if the connection is no longer usable. A status that asks to retry later, without a known
  /// reason, may come from a proxy: the connection is then replaced too.
  public var needsNewConnection: Bool {
    guard !isAccepted else { return false }
    return reason?.info?.needsNewConnection ?? (RetryClass(status) == .later)
  }
}

/// The times of two clocks at the same moment, in seconds since 1970 UTC. They matter because
/// provider tokens state when they were created.
public struct Clocks: Sendable, Hashable {
  /// The time on this machine.
  public let here: Int64
  /// The time on the server, from its `date` header; nil without one.
  public let server: Int64?

  /// Creates a pair of times.
  public init(here: Int64, server: Int64?) { (self.here, self.server) = (here, server) }

  /// Both times in a sentence, for comparison.
  public var sentence: String {
    let others = server.map { ", the server's \(ISO8601.text(seconds: $0))" } ?? ""
    return "This machine's clock said \(ISO8601.text(seconds: here))\(others)."
  }
}
