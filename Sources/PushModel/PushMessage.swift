package import APNS

/// A notification as requests carry it: everything but the device token and the ID. Chunks of a
/// long-lived run have one each, so that one run can send different notifications.
package final class PushMessage: Sendable {
  /// The header fields of each push, without `authorization` and the ID.
  package let fields: [HeaderField]
  /// The start of each request's path; the device token follows, if there is one.
  package let path: String
  /// The header that identifies each push.
  package let idHeader: HeaderName
  /// The body of each push; nil when each has its own payload.
  package let payload: Payload?
  /// The `apns-id` of the only push; nil gives each push its own.
  package let apnsID: APNSID?
  /// The time after which no push is sent, in seconds since 1970 UTC; nil for none.
  package let expiresAt: Int64?
  /// A push waits when its device token gets too many (429), and while an answer holds up the run.
  package let waitsForSlowTokens: Bool

  package init(
    fields: [HeaderField], path: String, idHeader: HeaderName = .id, payload: Payload?,
    apnsID: APNSID? = nil, expiresAt: Int64? = nil, waitsForSlowTokens: Bool = true
  ) {
    (self.fields, self.path, self.idHeader) = (fields, path, idHeader)
    (self.payload, self.apnsID, self.expiresAt) = (payload, apnsID, expiresAt)
    self.waitsForSlowTokens = waitsForSlowTokens
  }
}

/// The part of a program that wants the pushes of a chunk sent, and may change its mind.
package protocol PushSender: AnyObject, Sendable {
  /// Checks whether a push is still wanted. Called before each attempt at it; after the first that
  /// returned true, the push counts as sent.
  func mayGo(at index: Int) -> Bool
}
