public import APNS

/// A kind of certificate that Apple issues, recognized by the start of its common name.
public struct CertificateKind: Sendable, Hashable {
  /// One of Apple's two services.
  public enum Environment: String, Sendable, Hashable, CaseIterable {
    /// For development builds.
    case sandbox
    /// For apps from TestFlight, Ad Hoc and the App Store.
    case production
  }

  /// The start of the common name.
  public let prefix: String

  /// A description in a few words.
  public let name: String

  /// The environments it is for; empty if unknown.
  public let environments: Set<Environment>

  /// The push types it may be used for unless it lists topics; empty if it is not for pushes.
  public let pushTypes: [PushType]

  private init(
    _ prefix: String, _ name: String, _ environments: Set<Environment>,
    for types: [PushType] = [.alert]
  ) {
    (self.prefix, self.name, self.environments) = (prefix, name, environments)
    pushTypes = types
  }

  private init(notForPush prefix: String, _ name: String) {
    self.init(prefix, name, [], for: [])
  }

  /// The kind is for sending pushes. The others are given by mistake.
  public var isForPush: Bool { !pushTypes.isEmpty }

  /// The kind of a certificate with this common name; nil if no prefix matches.
  public static func named(_ commonName: String) -> CertificateKind? {
    table.first { commonName.hasPrefix($0.prefix) }
  }

  private static let vendorPrefix = "MDM Vendor: "

  /// The certificate with which a vendor of MDM signs requests for push certificates.
  package var isOfVendor: Bool { prefix == Self.vendorPrefix }

  /// All known kinds.
  public static let table: [CertificateKind] = [
    Self(
      "Apple Push Services: ", "push, both environments", [.sandbox, .production],
      for: PushType.table.filter(\.isInUniversalCertificate).map(\.type)),
    Self("Apple Development IOS Push Services: ", "push to iOS, sandbox", [.sandbox]),
    Self("Apple Development Mac Push Services: ", "push to macOS, sandbox", [.sandbox]),
    Self("Apple Production IOS Push Services: ", "push to iOS, production", [.production]),
    Self("Apple Production Mac Push Services: ", "push to macOS, production", [.production]),
    Self("VoIP Services: ", "VoIP push", [.sandbox, .production], for: [.voip]),
    Self(
      "WatchKit Services: ", "watch complications", [.sandbox, .production], for: [.complication]),
    Self("Website Push ID: ", "Safari website push", [.sandbox, .production]),
    Self("Pass Type ID: ", "Wallet passes", [.sandbox, .production]),
    Self("APSP:", "device management (MDM)", [], for: [.mdm]),
    Self(notForPush: vendorPrefix, "signs the requests of an MDM vendor's customers"),
    Self(notForPush: "Apple Development: ", "signs apps in development"),
    Self(notForPush: "Apple Distribution: ", "signs apps for distribution"),
    Self(notForPush: "iPhone Developer: ", "signs iOS apps in development"),
    Self(notForPush: "iPhone Distribution: ", "signs iOS apps for distribution"),
    Self(notForPush: "Mac Developer: ", "signs Mac apps in development"),
    Self(notForPush: "3rd Party Mac Developer ", "signs Mac apps for the App Store"),
    Self(notForPush: "Developer ID ", "signs Mac apps outside the App Store"),
  ]

  /// Any other certificate without Apple's push extensions, such as a web server's.
  static let other = Self(notForPush: "", "is not one of Apple's push certificates")

  /// The topics of a certificate that lists none.
  ///
  /// - Parameters:
  ///   - kind: its kind; nil if unknown.
  ///   - userID: its user ID: a bundle ID or the topic itself.
  package static func topics(of kind: CertificateKind?, userID: String?) -> [String] {
    guard let userID, !userID.isEmpty else { return [] }
    guard let kind else { return [userID] }
    return kind.pushTypes.map { type in
      let suffix = type.info?.suffix ?? ""
      let isTopic = kind.pushTypes.count == 1 && userID.hasSuffix(suffix)
      return isTopic ? userID : userID + suffix
    }
  }
}

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
