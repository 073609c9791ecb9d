import JSONText

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

  /// True for a 403 that every push would get: the key or certificate is refused. It says nothing
  /// about the network.
  public var refusesCredentials: Bool { status == .ofRefusedCredentials && wouldMeetEveryPush }

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

  /// The number of seconds by which clocks may differ without harm.
  public static let tolerance: Int64 = 5 * 60

  /// This machine's clock is further ahead of the server's than does no harm.
  public var isAhead: Bool { server.map { here > $0 && here - $0 > Self.tolerance } ?? false }

  /// Both times in a sentence, for comparison.
  public var sentence: String {
    let others = server.map { ", the server's \(ISO8601.text(seconds: $0))" } ?? ""
    return "This machine's clock said \(ISO8601.text(seconds: here))\(others)."
  }
}

/// The body of a rejection. GOAWAY frames carry the same text.
public struct ErrorBody: Sendable, Hashable {
  /// The default limit on a body, in bytes.
  public static let usualLimit = 4096

  /// The reason for the rejection.
  public let reason: Reason
  /// The time at which APNs found the device token dead, in milliseconds since 1970; nil if absent
  /// or not a whole number of at most 64 bits.
  public let timestamp: Int64?

  /// Creates the body of a rejection.
  public init(_ reason: Reason, timestamp: Int64? = nil) {
    self.reason = reason
    self.timestamp = timestamp
  }

  /// The reason in the body of an answer, or in the debug data of a GOAWAY, where APNs puts the
  /// same JSON; nil if there is none.
  public static func reason(in bytes: [UInt8]) -> Reason? {
    bytes.withUnsafeBufferPointer { parse($0) }?.reason
  }

  /// Parses a body. Invalid content is not an error: nil if it is too long, not JSON, or has no
  /// reason. A reason that cannot be shown and stored as it is gets escaped and truncated.
  public static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, limit: Int = usualLimit
  ) -> ErrorBody? {
    guard bytes.count <= limit else { return nil }
    return plain(bytes) ?? any(bytes)
  }

  /// The body as APNs writes it: `{"reason":"…"}`, with a `timestamp` if there is one.
  public var bytes: [UInt8] {
    let time = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
    let word = reason.rawValue.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return Array("{\"reason\":\"\(word)\"\(time)}".utf8)
  }
}

extension ErrorBody {
  // The form of nearly all rejections, parsed without creating a JSON value.
  private static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> ErrorBody? {
    guard let afterOpening = bytes[...].dropping("{\"reason\":\""),
      let quote = afterOpening.firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    let word = afterOpening[..<quote]
    let rest = afterOpening[quote...]
    guard !word.contains(UInt8(ascii: "\\")),
      let reason = Reason(word)
        ?? String(validating: word, as: UTF8.self).flatMap({ Reason(escaping: $0) })
    else { return nil }
    if rest.elementsEqual("\"}".utf8) { return ErrorBody(reason) }
    return rest.dropping("\",\"timestamp\":").flatMap(plainTime).map {
      ErrorBody(reason, timestamp: $0)
    }
  }

  /// Parses digits and the closing brace. Eighteen digits always fit.
  private static func plainTime(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let digits = bytes.dropLast()
    guard bytes.last == UInt8(ascii: "}"), 1...18 ~= digits.count,
      digits.allSatisfy({ $0 &- 0x30 < 10 })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func any(_ bytes: UnsafeBufferPointer<UInt8>) -> ErrorBody? {
    guard let body = try? JSONReader(depthLimit: 4).read(bytes),
      let reason = body["reason"]?.string.flatMap({ Reason(escaping: $0) })
    else { return nil }
    return ErrorBody(reason, timestamp: body["timestamp"]?.number?.int.map(Int64.init))
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  fileprivate func dropping(_ text: String) -> Self? {
    starts(with: text.utf8) ? dropFirst(text.utf8.count) : nil
  }
}
