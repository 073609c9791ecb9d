internal import APNS

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
    return RequestFault(.topicAndType, Refusal(reason: .topicDisallowed, note: note))
  }
}
