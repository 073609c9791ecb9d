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
