internal import APNS
internal import HTTP2
internal import JSONText

/// The known facts about a request's sender.
struct RequestSender {
  let authentication: Authentication
  /// The topics the sender's certificate allows; nil for no restriction.
  var topics: [String]?
}

/// Checks a request to manage channels, or a push to one, against Apple's documentation (Handling
/// error responses from Apple Push Notification service).
///
/// About the order Apple says only that authentication comes first and then the channel. The rest
/// follows the order used by the author of another server (kylebrowning/APNSwift#254).
struct ChannelCheck {
  private let request: ServerRequest
  private let path: PushPath
  private let app: String
  private let sender: RequestSender
  private let channels: ChannelRegistry
  /// The headers, both as received and as judged.
  let draft: Draft

  init(
    _ request: ServerRequest, _ path: PushPath, of app: String, from sender: RequestSender,
    _ channels: ChannelRegistry
  ) {
    (self.request, self.path, self.app) = (request, path, app)
    (self.sender, self.channels) = (sender, channels)
    var draft = Draft(received: request.headers.fields, body: [])
    draft.target = .channel(app: DraftField(Draft.appField, app))
    self.draft = draft
  }

  /// The channel part of the request, and its first fault; nil if there is none.
  func verdict() -> (part: ChannelDetails, note: String?, fault: RequestFault?) {
    var (call, note): (ChannelOperation?, String?)
    var fault = HeaderVerdict.fault(of: request.headers, taking: path.methods)
      .first(EnforcedRules.about(.headers).fault(of: draft, sender.authentication))
    if fault == nil {
      do throws(APNSRefusal) {
        if path.kind == .broadcast { note = try judgePush() } else { call = try judgeCall(&note) }
      } catch {
        fault = RequestFault(.channels, error)
      }
    }
    return (ChannelDetails(call: call, channel: draft.channel), note, fault)
  }
}

// A push to a channel.
extension ChannelCheck {
  /// - Returns: the note on an accepted push; nil for none.
  private func judgePush() throws(APNSRefusal) -> String? {
    let app = try bundleID()
    try refuseOtherApp()
    let id = try channelID()
    for name in [HeaderName.pushType, .id, .expiration, .priority] { try hold(.header(name)) }
    guard let channel = channels.channel(id, of: app) else { throw APNSRefusal(.unknown(id)) }
    try hold(.header(.expiration), storage: .known(channel.policy))
    return try judgePayload()
  }

  /// Refuses a certificate that does not list the app.
  private func refuseOtherApp() throws(APNSRefusal) {
    guard let topics = sender.topics, !topics.contains(app) else { return }
    throw APNSRefusal(
      reason: .topicMismatch, note: "the certificate is for \(topics.joined(separator: ", "))",
      fix: "Use the certificate of this app, or a signing key.")
  }

  private func judgePayload() throws(APNSRefusal) -> String? {
    if request.bodyCount > request.body.count {
      throw HeaderVerdict.fault(ofLong: request, draft).refusal
    }
    var draft = draft
    let (payload, repeated) = DraftPayload.received(request.body)
    draft.payload = payload
    try hold(.payload, draft)
    guard let fault = HeaderVerdict.fault(of: payload) else { return repeated }
    // Unlike for pushes to devices, Apple documents a reason.
    let note = fault.refusal.note ?? "the payload is not an object"
    throw APNSRefusal(reason: .badRequestPayload, note: note, fix: fault.refusal.fix)
  }
}

// A request to manage channels.
extension ChannelCheck {
  /// - Parameter note: set if there is something to say about an accepted request.
  private func judgeCall(_ note: inout String?) throws(APNSRefusal) -> ChannelOperation {
    try refuseCertificate()
    let app = try bundleID()
    try hold(.header(.id))
    let call = ChannelOperation(request: try asked(&note), app: app)
    if let fault = channels.fault(of: call) { throw APNSRefusal(fault) }
    return call
  }

  private func refuseCertificate() throws(APNSRefusal) {
    guard sender.authentication == .certificate else { return }
    throw APNSRefusal(
      reason: .topicMismatch,
      note: "the emulator lets no certificate manage channels; how APNs takes one is not known",
      fix: "Manage channels with a signing key.")
  }

  private func asked(_ note: inout String?) throws(APNSRefusal) -> ChannelRequest {
    switch (path, request.headers[":method"]) {
    case (.allChannels, _): return .list
    case (_, "POST"):
      let order = try ChannelOrder(request)
      note = order.note
      return .create(order.policy)
    case (_, "DELETE"): return .delete(try channelID())
    default: return .read(try channelID())
    }
  }
}

// Shared checks.
extension ChannelCheck {
  private func hold(
    _ subject: Rule.Subject, _ other: Draft? = nil, storage: ChannelStorage = .notLookedUp
  ) throws(APNSRefusal) {
    let rules = EnforcedRules.about(subject)
    let fault = rules.fault(of: other ?? draft, sender.authentication, storage: storage)
    if let fault { throw fault.refusal }
  }

  private func bundleID() throws(APNSRefusal) -> BundleID {
    try hold(.bundleID)
    guard let id = try? BundleID(app) else { throw APNSRefusal(reason: .topicDisallowed) }
    return id
  }

  private func channelID() throws(APNSRefusal) -> ChannelID {
    try hold(.header(.channelID))
    guard let id = draft.channel.flatMap({ try? ChannelID($0) }) else {
      throw APNSRefusal(reason: .badChannelID)
    }
    return id
  }
}

extension APNSRefusal {
  /// The refusal of a request to manage channels.
  init(_ fault: ChannelFault) {
    switch fault {
    case .full(let limit):
      self.init(reason: .cannotCreateChannel, note: "the app has \(limit) channels")
    case .crowded(let limit):
      self.init(
        reason: .cannotCreateChannel,
        note: "the emulator has \(limit) channels of all apps, its own limit")
    case .unknown:
      self.init(
        reason: .channelNotRegistered, note: "the app has no such channel in this emulator",
        fix: "Create the channel here; each belongs to one app and one environment.")
    }
  }
}

/// The body of a request to create a channel: an object with exactly two members.
struct ChannelOrder {
  private static let policyKey = StoragePolicy.key
  private static let typeKey = ChannelRequest.pushTypeKey

  /// The new channel's storage policy.
  let policy: StoragePolicy
  /// An additional note for people; nil for none.
  let note: String?

  /// Reads the body of a request.
  init(_ request: ServerRequest) throws(APNSRefusal) {
    let (object, repeated) = try Self.object(request)
    if let key = object.keys.first(where: { $0 != Self.policyKey && $0 != Self.typeKey }) {
      throw APNSRefusal(
        reason: .badRequestParams, note: "the body has the unknown member \"\(key)\"",
        fix: "Send \(Self.policyKey) and \(Self.typeKey), and nothing else.")
    }
    policy = try Self.policy(object[Self.policyKey])
    note = try Self.note(onType: object[Self.typeKey]) ?? repeated
  }

  private static func object(
    _ request: ServerRequest
  ) throws(APNSRefusal) -> (JSONObject, note: String?) {
    if request.bodyCount == 0 { throw APNSRefusal(reason: .payloadEmpty) }
    if request.bodyCount > request.body.count { throw APNSRefusal(reason: .payloadTooLarge) }
    let (body, note) = DraftPayload.received(request.body)
    guard let json = body?.json else {
      throw APNSRefusal(reason: .badRequestPayload, note: "the body is not JSON")
    }
    guard let object = json.object else {
      throw APNSRefusal(
        reason: .badRequestPayload, note: "the body is not an object",
        fix: "Send an object with \(policyKey) and \(typeKey).")
    }
    return (object, note)
  }

  private static func policy(_ value: JSON?) throws(APNSRefusal) -> StoragePolicy {
    if let policy = value?.number?.int.flatMap(StoragePolicy.init(rawValue:)) { return policy }
    throw APNSRefusal(
      reason: .missingChannelQueueSize,
      note: "\(policyKey) is \(value == nil ? "missing" : "neither 0 nor 1")",
      fix: "Send the number 0 to store nothing, or 1 to store the latest push.")
  }

  /// Accepts any case, because libraries write the push type in lowercase, as in a header.
  private static func note(onType value: JSON?) throws(APNSRefusal) -> String? {
    guard let value else { throw APNSRefusal(reason: .missingPushType) }
    let wanted = ChannelRequest.pushType
    guard let text = value.string, text.lowercased() == wanted.lowercased() else {
      throw APNSRefusal(
        reason: .invalidPushType, note: "a channel has the \(typeKey) \(wanted)",
        fix: "Send \(wanted).")
    }
    return text == wanted
      ? nil : "Apple documents the \(typeKey) \(wanted); that other case passes is not known"
  }
}

/// The additional parts of a request to manage channels, or of a push to one.
///
/// It is a class so that pushes to devices, which are far more numerous, carry only a nil pointer.
final class ChannelDetails {
  /// The call on the channels; nil for a push, and if the request is invalid.
  let call: ChannelOperation?
  /// The channel it names, as written; nil if it names none.
  let channel: String?
  /// The channels' reply; nil before the call.
  var reply: ChannelReply?

  init(call: ChannelOperation? = nil, channel: String?) {
    (self.call, self.channel) = (call, channel)
  }

  /// The body of the reply; nil if the answer has another status than the reply.
  func body(with status: Status) -> [UInt8]? { reply?.status == status ? reply?.bytes : nil }
}
