internal import APNS

/// The steps in which a request is looked at. Apple documents no order; that the provider token
/// comes before the device token is known from the field.
enum CheckStep: Int, Comparable {
  case path, method, duplicates, authorization, channels, topicAndType, id, fields, token, payload,
    device

  /// The step at which a rule is looked at.
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

/// Why a request is refused, and what the journal adds to it.
struct Refusal: Error, Hashable {
  /// What the client is told.
  let reason: Reason
  /// What the journal says beside it.
  var note: String?
  /// What to do about what the note says; nil leaves that to the reason.
  var fix: String?
  /// What the client is told beside the reason: since when its token is unregistered, in milliseconds.
  var timestamp: Int64?

  /// The status that belongs to the reason; 400 for one that is not APNs'.
  var status: Status { reason.info?.status ?? .badRequest }
}

/// What is wrong with a request, and at which step that is found out.
struct RequestFault {
  let step: CheckStep
  let refusal: Refusal

  /// A fault.
  init(_ step: CheckStep, _ refusal: Refusal) {
    self.step = step
    self.refusal = refusal
  }
}

extension RequestFault? {
  /// The one that is found first.
  func first(_ other: RequestFault?) -> RequestFault? {
    guard let self, let other else { return self ?? other }
    return other.step < self.step ? other : self
  }
}

// What a client certificate says about topics (Apple: Sending notification requests to APNs).
extension Draft {
  /// Takes the only topic of a certificate where the request has none.
  mutating func fillTopic(from topics: [String]) {
    guard self[.topic] == nil, topics.count == 1 else { return }
    self[.topic] = topics.first.map { DraftField(.topic, $0) }
  }

  /// What is wrong with a topic that the certificate does not name; nil when it names it.
  func fault(outside topics: [String]) -> RequestFault? {
    guard let topic, !topics.contains(topic) else { return nil }
    let note = "the certificate is for \(topics.joined(separator: ", "))"
    let fix = "Use one of the certificate's topics, or the certificate of this app."
    return RequestFault(.topicAndType, Refusal(reason: .topicDisallowed, note: note, fix: fix))
  }
}
