internal import APNS

/// The steps of checking a request. Apple documents no order; that the provider token comes before
/// the device token is known from experience.
enum CheckStep: Int, Comparable {
  case path, method, duplicates, authorization, channels, topicAndType, id, fields, token, payload,
    device

  /// The step that checks a rule with this subject.
  init(_ subject: Rule.Subject) {
    self =
      switch subject {
      case .headers: .duplicates
      case .header(.topic), .header(.pushType), .bundleID: .topicAndType
      case .header(.id): .id
      case .header: .fields
      case .payload, .simulator, .template: .payload
      }
  }

  static func < (left: CheckStep, right: CheckStep) -> Bool { left.rawValue < right.rawValue }
}

/// A refusal of a request, with details for the journal.
struct APNSRefusal: Error, Hashable {
  /// The reason the client receives.
  let reason: Reason
  /// The journal's note beside the reason.
  var note: String?
  /// The fix for the note; nil uses the one for the reason.
  var fix: String?
  /// The time the token was unregistered, in milliseconds, sent along with the reason.
  var timestamp: Int64?

  /// The status for the reason; 400 for a reason that is not APNs' own.
  var status: Status { reason.info?.status ?? .badRequest }
}

/// A defect of a request and the step that finds it.
struct RequestFault {
  let step: CheckStep
  let refusal: APNSRefusal

  /// Creates a fault.
  init(_ step: CheckStep, _ refusal: APNSRefusal) {
    self.step = step
    self.refusal = refusal
  }
}

extension RequestFault? {
  /// The fault that is found first.
  func first(_ other: RequestFault?) -> RequestFault? {
    guard let self, let other else { return self ?? other }
    return other.step < self.step ? other : self
  }
}

// The topics of a client certificate (Apple: Sending notification requests to APNs).
extension Draft {
  /// Sets the certificate's only topic if the request has none.
  mutating func fillTopic(from topics: [String]) {
    guard self[.topic] == nil, topics.count == 1 else { return }
    self[.topic] = topics.first.map { DraftField(.topic, $0) }
  }

  /// The fault of a topic the certificate does not name; nil if it names it.
  func fault(outside topics: [String]) -> RequestFault? {
    guard let topic, !topics.contains(topic) else { return nil }
    let note = "the certificate is for \(topics.joined(separator: ", "))"
    let fix = "Use one of the certificate's topics, or the certificate of this app."
    return RequestFault(.topicAndType, APNSRefusal(reason: .topicDisallowed, note: note, fix: fix))
  }
}

// APNs' knowledge of devices, and its refusals of pushes that do not fit them.
extension EmulatedDevices {
  /// The fewest digits in the token of an unknown device: no shorter ones have been seen.
  private static let fewestDigits = 64

  /// The fault of the device that a push is for; nil if there is none.
  func fault(
    of path: PushPath, topic: () -> String?, _ environment: EmulatorEnvironment
  ) -> RequestFault? {
    guard case .device(let token) = path else { return nil }
    guard let device = self[token] else {
      if isEmpty || acceptsOthers { return Self.fault(ofUnknown: token) }
      return RequestFault(
        .device,
        APNSRefusal(
          reason: .badDeviceToken, note: "none of the emulator's devices has this token",
          fix: "Add the device to the emulator's, or remove them all so that it takes any token."))
    }
    return device.refusal(of: topic(), environment).map { RequestFault(.device, $0) }
  }

  private static func fault(ofUnknown token: DeviceToken) -> RequestFault? {
    let count = token.hex.utf8.count
    guard count < fewestDigits else { return nil }
    return RequestFault(
      .token,
      APNSRefusal(
        reason: .badDeviceToken,
        note: "the device token has \(count) digits; none shorter than \(fewestDigits) are known",
        fix: "Use the whole token, or add a device with this one to the emulator's."))
  }
}

extension EmulatedDevice {
  fileprivate func refusal(of topic: String?, _ environment: EmulatorEnvironment) -> APNSRefusal? {
    if let own = self.environment, own != environment {
      return APNSRefusal(
        reason: .badDeviceToken, note: "the device token is for the \(own) environment",
        fix: "Send it to the \(own) environment.")
    }
    if let topic, let own = self.topic, topic != own {
      return APNSRefusal(
        reason: .deviceTokenNotForTopic, note: "the device token is for \(own)",
        fix: "Use the token that the app registered for \(topic).")
    }
    return unregisteredAt.map {
      APNSRefusal(
        reason: .unregistered,
        note: "unregistered since \(ISO8601.text(seconds: $0 / 1000))",
        fix: "Stop sending to this token until the app registers it again.", timestamp: $0)
    }
  }
}

/// The rules that APNs enforces with a reason. Violations of all others are the sender's problem:
/// APNs accepts the push, and may drop it.
struct EnforcedRules {
  private let rules: [Rule]

  private init(where isMeant: (Rule.Subject) -> Bool) {
    rules = RuleTable.all.filter { $0.reason != nil && isMeant($0.subject) }
  }

  /// The rules about headers, except those about `apns-id`.
  static let headers = EnforcedRules { $0 != .payload && $0 != .header(.id) }
  /// The rules about `apns-id`.
  static let id = EnforcedRules { $0 == .header(.id) }
  /// The rules about the payload.
  static let payload = EnforcedRules { $0 == .payload }

  /// The rules about one subject.
  static func about(_ subject: Rule.Subject) -> EnforcedRules { EnforcedRules { $0 == subject } }

  /// The first rule that a draft breaks; nil if it breaks none. No rule with a reason depends on
  /// the time, so the result can be cached.
  ///
  /// - Parameter storage: the storage policy of the channel it goes to.
  func fault(
    of draft: Draft, _ authentication: Authentication,
    storage: ChannelStorage = .notLookedUp
  ) -> RequestFault? {
    var context = RuleContext(now: 0, authentication: authentication)
    context.channelStorage = storage
    for rule in rules {
      if let problem = rule.problems(in: draft, context).first, let reason = rule.reason {
        return RequestFault(
          CheckStep(rule.subject),
          APNSRefusal(reason: reason, note: problem.message, fix: problem.fix))
      }
    }
    return nil
  }
}
