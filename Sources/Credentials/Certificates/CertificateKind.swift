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
