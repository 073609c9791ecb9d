/// A kind of certificate that Apple issues, told by how its common name begins.
public struct CertificateKind: Sendable, Hashable {
  /// One of Apple's two services.
  public enum Environment: String, Sendable, Hashable, CaseIterable {
    /// For development builds.
    case sandbox
    /// For apps from TestFlight, Ad Hoc and the App Store.
    case production
  }

  /// How the common name begins.
  public let prefix: String

  /// What it is, in a few words.
  public let name: String

  /// The environments it is for; empty where that is not known.
  public let environments: Set<Environment>

  /// Whether pushes are sent with it. The others sign apps, and are given by mistake.
  public let isForPush: Bool

  private init(_ prefix: String, _ name: String, _ environments: Set<Environment>) {
    (self.prefix, self.name, self.environments) = (prefix, name, environments)
    isForPush = true
  }

  private init(notForPush prefix: String, _ name: String) {
    (self.prefix, self.name, environments) = (prefix, name, [])
    isForPush = false
  }

  /// The kind of a certificate with this common name; nil when no prefix fits.
  public static func named(_ commonName: String) -> CertificateKind? {
    table.first { commonName.hasPrefix($0.prefix) }
  }

  /// Every kind that is known.
  public static let table: [CertificateKind] = [
    Self("Apple Push Services: ", "push, both environments", [.sandbox, .production]),
    Self("Apple Development IOS Push Services: ", "push to iOS, sandbox", [.sandbox]),
    Self("Apple Development Mac Push Services: ", "push to macOS, sandbox", [.sandbox]),
    Self("Apple Production IOS Push Services: ", "push to iOS, production", [.production]),
    Self("Apple Production Mac Push Services: ", "push to macOS, production", [.production]),
    Self("VoIP Services: ", "VoIP push", [.sandbox, .production]),
    Self("WatchKit Services: ", "watch complications", [.sandbox, .production]),
    Self("Website Push ID: ", "Safari website push", [.sandbox, .production]),
    Self("Pass Type ID: ", "Wallet passes", [.sandbox, .production]),
    Self("APSP:", "device management (MDM)", []),
    Self(notForPush: "Apple Development: ", "signs apps in development"),
    Self(notForPush: "Apple Distribution: ", "signs apps for distribution"),
    Self(notForPush: "iPhone Developer: ", "signs iOS apps in development"),
    Self(notForPush: "iPhone Distribution: ", "signs iOS apps for distribution"),
    Self(notForPush: "Mac Developer: ", "signs Mac apps in development"),
    Self(notForPush: "3rd Party Mac Developer ", "signs Mac apps for the App Store"),
    Self(notForPush: "Developer ID ", "signs Mac apps outside the App Store"),
  ]
}
