public import APNS
internal import Credentials
public import HTTP2
public import PushModel

/// Everything about a run except its recipients.
public struct DeliveryPlan: Sendable {
  /// The server to connect to.
  public var target: DialTarget

  /// The header fields of each push, without `authorization` and `apns-id`.
  public var fields: [HeaderField]

  /// The start of each request's path; the device token follows, if there is one.
  public var path = "/3/device/"

  /// The header that identifies each push.
  public var idHeader = HeaderName.id

  /// The body of each push; nil when each recipient has its own payload.
  public var payload: Payload?

  /// The `apns-id` of the only push; nil gives each push its own.
  public var apnsID: APNSID?

  /// The number of connections to use; values below one count as one.
  public var connections: ConnectionCount

  /// The time to wait for an answer, in milliseconds.
  public var attemptTimeoutMilliseconds: Int

  /// The rules for pushes that could not be delivered at once.
  public var retryRules = RetryRules()

  /// The time after which no push is sent again, in seconds since 1970 UTC, because APNs would
  /// discard it; nil for none.
  public var expiresAt: Int64?

  /// The limit on attempts over all connections; nil for no limit.
  public var rate: PushRate?

  /// The time slots for attempts when the rate is shared with other workers; nil when there is no
  /// rate or it is this run's alone.
  package var rateSlots: RateSlots?

  /// The most connections at once when their number is not fixed; nil for no such limit.
  package var connectionLimit: ConnectionLimit?

  /// The number of each connection's first stream. Only tests use anything but 1.
  package var firstStream: Int32 = 1

  /// Creates a plan.
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
  /// - Parameter token: nil when a certificate is used; `authorization` is then omitted.
  func requestHead(_ token: ProviderToken?) -> RequestHead {
    let constant = fields.map { Field($0.name.text, $0.value) }
    return RequestHead(
      authority: target.authority, pathPrefix: path,
      fields: [token?.authorization].compactMap(\.self) + constant,
      varying: idHeader.text)
  }
}
