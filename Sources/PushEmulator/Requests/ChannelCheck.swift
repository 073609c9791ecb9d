internal import APNS
internal import HTTP2

/// What is known of the sender of a request.
struct RequestSender {
  let authentication: Authentication
  /// What the sender's certificate may push to; nil does not limit it.
  var topics: [String]?
}

/// Holds a request about channels, or a push to one, to what Apple documents (Handling error
/// responses from Apple Push Notification service).
///
/// Of the order Apple says only that authentication comes first and then the channel. The rest is
/// in the order in which the author of another server has them (kylebrowning/APNSwift#254).
struct ChannelCheck {
  private let request: ServerRequest
  private let path: PushPath
  private let app: String
  private let sender: RequestSender
  private let channels: ChannelRegistry
  /// The headers as they came, and as they are judged.
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

  /// What the request asks, and its first fault; nil when there is none.
  func verdict() -> (part: ChannelPart, note: String?, fault: RequestFault?) {
    var (call, note): (ChannelCall?, String?)
    var fault = HeaderVerdict.fault(of: request.headers, taking: path.methods)
      .first(AnsweredRules.about(.headers).fault(of: draft, sender.authentication))
    if fault == nil {
      do throws(Refusal) {
        if path.kind == .broadcast { try judgePush() } else { call = try judgeCall(&note) }
      } catch {
        fault = RequestFault(.channels, error)
      }
    }
    return (ChannelPart(call: call, channel: draft.channel), note, fault)
  }
}

// A push to a channel.
extension ChannelCheck {
  private func judgePush() throws(Refusal) {
    let app = try bundleID()
    try refuseOtherApp()
    let id = try channelID()
    for name in [HeaderName.pushType, .id, .expiration, .priority] { try hold(.header(name)) }
    guard let channel = channels.channel(id, of: app) else { throw Refusal(.unknown(id)) }
    try hold(.header(.expiration), storage: .known(channel.policy))
    try judgePayload()
  }

  /// A certificate is good for the apps that it lists.
  private func refuseOtherApp() throws(Refusal) {
    guard let topics = sender.topics, !topics.contains(app) else { return }
    throw Refusal(
      reason: .topicMismatch, note: "the certificate is for \(topics.joined(separator: ", "))",
      fix: "Use the certificate of this app, or a signing key.")
  }

  private func judgePayload() throws(Refusal) {
    if request.bodyCount > request.body.count {
      throw HeaderVerdict.fault(ofLong: request, draft).refusal
    }
    var draft = draft
    draft.payload = request.body.isEmpty ? nil : DraftPayload(reading: request.body)
    try hold(.payload, draft)
    guard let fault = HeaderVerdict.fault(of: draft.payload) else { return }
    // Unlike for pushes to devices, Apple names a reason.
    let note = fault.refusal.note ?? "the payload is not an object"
    throw Refusal(reason: .badRequestPayload, note: note, fix: fault.refusal.fix)
  }
}

// A request about the channels themselves.
extension ChannelCheck {
  /// - Parameter note: gets what a person should know of a request that is taken.
  private func judgeCall(_ note: inout String?) throws(Refusal) -> ChannelCall {
    try refuseCertificate()
    let app = try bundleID()
    try hold(.header(.id))
    let call = ChannelCall(request: try asked(&note), app: app)
    if let fault = channels.fault(of: call) { throw Refusal(fault) }
    return call
  }

  private func refuseCertificate() throws(Refusal) {
    guard sender.authentication == .certificate else { return }
    throw Refusal(
      reason: .topicMismatch,
      note: "the emulator lets no certificate manage channels; how APNs takes one is not known",
      fix: "Manage channels with a signing key.")
  }

  private func asked(_ note: inout String?) throws(Refusal) -> ChannelRequest {
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

// What both have.
extension ChannelCheck {
  private func hold(
    _ subject: Rule.Subject, _ other: Draft? = nil, storage: ChannelStorage = .notLookedUp
  ) throws(Refusal) {
    let rules = AnsweredRules.about(subject)
    let fault = rules.fault(of: other ?? draft, sender.authentication, storage: storage)
    if let fault { throw fault.refusal }
  }

  private func bundleID() throws(Refusal) -> BundleID {
    try hold(.bundleID)
    guard let id = try? BundleID(app) else { throw Refusal(reason: .topicDisallowed) }
    return id
  }

  private func channelID() throws(Refusal) -> ChannelID {
    try hold(.header(.channelID))
    guard let id = draft.channel.flatMap({ try? ChannelID($0) }) else {
      throw Refusal(reason: .badChannelID)
    }
    return id
  }
}

extension Refusal {
  /// Why a request about channels cannot be carried out.
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
