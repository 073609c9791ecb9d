public import APNS

/// A topic listed in a certificate.
public struct CertificateTopic: Sendable, Hashable {
  /// The topic.
  public let topic: Topic

  /// The topic's uses in Apple's words: `app`, `voip`, `complication`. Often empty.
  public let labels: [String]

  /// A topic and its labels.
  public init(_ topic: Topic, labels: [String] = []) {
    self.topic = topic
    self.labels = labels
  }

  /// Returns true if a push with this topic may be sent. It is unknown whether the VoIP list
  /// contains topics or bundle IDs, so both are accepted, for VoIP pushes only.
  func covers(_ other: Topic) -> Bool {
    guard labels == ["voip"] else { return topic == other }
    let suffix = PushType.voip.info?.suffix ?? ""
    return topic.text + suffix == other.text || topic == other && topic.text.hasSuffix(suffix)
  }
}

extension CertificateTopic {
  /// Reads extension 1.2.840.113635.100.6.3.6: a sequence of topics, each followed by a sequence of
  /// its labels. Anything else is ignored.
  static func list(in bytes: DERItem.Bytes, depth: Int = 0) -> [CertificateTopic] {
    var topics: [CertificateTopic] = []
    for item in DERItem.items(in: bytes) {
      if let text = item.text {
        if let topic = try? Topic(text) { topics.append(CertificateTopic(topic)) }
      } else if item.tag == DERItem.sequence {
        if let last = topics.popLast() {
          topics.append(last.labelled(DERItem.items(in: item.content).compactMap(\.text)))
        } else if depth < 4 {
          topics = list(in: item.content, depth: depth + 1)
        }
      }
    }
    return topics
  }

  /// Reads extension 1.2.840.113635.100.6.3.4: comma-separated topics for VoIP.
  static func voipList(in bytes: DERItem.Bytes, depth: Int = 0) -> [CertificateTopic] {
    DERItem.items(in: bytes).flatMap { item in
      if item.tag == DERItem.sequence, depth < 4 {
        return voipList(in: item.content, depth: depth + 1)
      }
      let names = item.text?.split(separator: ",") ?? []
      return names.compactMap { name in
        let topic = try? Topic(name.filter { $0 != " " })
        return topic.map { CertificateTopic($0, labels: ["voip"]) }
      }
    }
  }

  private func labelled(_ labels: [String]) -> CertificateTopic {
    CertificateTopic(topic, labels: self.labels + labels)
  }
}
