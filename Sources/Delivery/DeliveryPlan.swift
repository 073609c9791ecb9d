public import APNS
internal import Credentials
public import HTTP2
public import PushModel

/// What to send, and how: everything about a run but its recipients.
public struct DeliveryPlan: Sendable {
  /// Where to connect.
  public var target: DialTarget

  /// The header fields of each push, without `authorization` and `apns-id`.
  public var fields: [HeaderField]

  /// The start of each request's path; the device token follows, if there is one.
  public var path = "/3/device/"

  /// The header that identifies each push.
  public var idHeader = HeaderName.id

  /// The body of each push; nil when each recipient has a payload of its own.
  public var payload: Payload?

  /// The `apns-id` of the only push; nil gives each push one of its own.
  public var apnsID: APNSID?

  /// How many connections to use; less than one counts as one.
  public var connections: ConnectionCount

  /// How long to wait for an answer, in milliseconds.
  public var attemptTimeoutMilliseconds: Int

  /// What becomes of pushes that could not be delivered at once.
  public var retryRules = RetryRules()

  /// From when on no push is sent again, in seconds since 1970 UTC: APNs would drop it. Nil for no
  /// end.
  public var expiresAt: Int64?

  /// How fast attempts may follow each other over all connections; nil as fast as they can.
  public var rate: PushRate?

  /// The time slots in which attempts may be made when other workers share the rate; nil when there is
  /// no rate, or it is this run's alone.
  package var rateSlots: RateSlots?

  /// How many connections there may be at once, unless a number was given; nil without such a limit.
  package var connectionLimit: ConnectionLimit?

  /// The number of each connection's first stream. Anything but 1 is for tests.
  package var firstStream: Int32 = 1

  /// A plan.
  public init(
    target: DialTarget, fields: [HeaderField], payload: Payload?, apnsID: APNSID? = nil,
    connections: ConnectionCount = .fixed(1), attemptTimeoutMilliseconds: Int = 30_000
  ) {
    self.target = target
    self.fields = fields
    self.payload = payload
    self.apnsID = apnsID
    self.connections = connections
    self.attemptTimeoutMilliseconds = attemptTimeoutMilliseconds
  }
}

extension DeliveryPlan {
  /// The constant part of each request while a provider token is in use.
  ///
  /// - Parameter token: nil when a certificate is used, and `authorization` left out.
  func requestHead(_ token: ProviderToken?) -> RequestHead {
    let constant = fields.map { Field($0.name.text, $0.value) }
    return RequestHead(
      authority: target.authority, pathPrefix: path,
      fields: [token?.authorization].compactMap(\.self) + constant,
      varying: idHeader.text)
  }
}
