internal import APNS
internal import PushModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension PushNotification: Codable {
  /// The payload is text, so that its bytes stay as they are.
  private struct Form: Codable {
    var type: PushType
    var topic: String
    var channel: ChannelID?
    var priority: Priority
    var expiration: Int64?
    var collapseID: String?
    var id: String?
    var payload: String
  }

  /// Reads a notification, and checks it as the other initializers do.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    let payload = DraftPayload(reading: Array(form.payload.utf8))
    var draft = Draft(fields: [DraftField(.topic, form.topic)], payload: payload)
    if let channel = form.channel {
      draft = Draft(
        fields: [DraftField(.channelID, channel.text)], payload: payload,
        target: .channel(app: DraftField(Draft.appField, form.topic)))
    }
    draft.add(form.type, form.priority, form.expiration.flatMap(Expiration.init(seconds:)))
    if let id = form.collapseID { draft[.collapseID] = DraftField(.collapseID, id) }
    if let id = form.id { draft[.id] = DraftField(.id, id) }
    do { try self.init(checking: draft) } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }

  /// Writes a notification.
  public func encode(to encoder: any Encoder) throws {
    try Form(
      type: pushType, topic: topic, channel: channel, priority: priority,
      expiration: expiration?.seconds, collapseID: collapseID, id: id,
      payload: String(decoding: bytes, as: UTF8.self)
    ).encode(to: encoder)
  }
}

extension SendResult: Codable {
  /// All that a result tells. Times are in milliseconds since 1970, and the latency in microseconds.
  struct Form: Codable, Hashable {
    var outcome: Outcome
    var token: DeviceToken?
    var position: Int
    var tag: String?
    var reason: Reason?
    var status: Status?
    var deadSince: Int64?
    var obstacle: Obstacle?
    var attempts: Int
    var mayArriveTwice: Bool
    var apnsID: String?
    var uniqueID: String?
    var latency: Int?
  }

  /// Reads a result.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    self.init(
      form.outcome, to: form.token, at: form.position, tag: form.tag, reason: form.reason,
      status: form.status, deadSince: form.deadSince.map(Date.init(milliseconds:)),
      obstacle: form.obstacle, attempts: form.attempts, mayArriveTwice: form.mayArriveTwice,
      apnsID: form.apnsID, uniqueID: form.uniqueID,
      latency: form.latency.map { .microseconds($0) })
  }

  /// Writes a result.
  public func encode(to encoder: any Encoder) throws { try form.encode(to: encoder) }

  var form: Form {
    Form(
      outcome: outcome, token: token, position: position, tag: tag, reason: reason, status: status,
      deadSince: deadSince?.milliseconds, obstacle: obstacle, attempts: attempts,
      mayArriveTwice: mayArriveTwice, apnsID: apnsID, uniqueID: uniqueID,
      latency: latency?.microseconds)
  }
}
