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

  /// Called with what happens to connections and pushes, on the connections' threads; nil when
  /// nobody wants to know.
  package var observer: (@Sendable (DeliveryEvent) -> Void)?

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
  var attemptTimeoutNanoseconds: UInt64 { UInt64(attemptTimeoutMilliseconds) * 1_000_000 }

  /// The notification of this plan, for chunks without one of their own.
  var message: PushMessage {
    PushMessage(
      fields: fields, path: path, idHeader: idHeader, payload: payload, expiresAt: expiresAt)
  }

  /// The constant part of each request while a provider token is in use.
  ///
  /// - Parameter token: nil when a certificate is used; `authorization` is then omitted.
  func requestHead(of message: PushMessage, _ token: ProviderToken?) -> RequestHead {
    let constant = message.fields.map { Field($0.name.text, $0.value) }
    return RequestHead(
      authority: target.authority, pathPrefix: message.path,
      fields: [token?.authorization].compactMap(\.self) + constant,
      varying: message.idHeader.text, body: message.payload?.bytes ?? [])
  }
}

/// An event in the life of a run, for logs and metrics.
package enum DeliveryEvent: Sendable {
  /// A connection was opened, or taken from an earlier run.
  case opened
  /// A connection ended, for this reason; nil when it was no longer needed.
  case closed(String?)
  /// A connection goes on with a new provider token.
  case tokenReplaced
  /// A push is sent again after this answer; nil when none came.
  case resent(Push, Response?)
}
