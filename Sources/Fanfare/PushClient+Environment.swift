public import APNS
internal import HTTP2

extension PushClient {
  /// The service to push to. There is no default, so that production is never hit by accident.
  public struct Environment: Sendable, Hashable {
    let address: ServerAddress
    let management: ServerAddress
    private let roots: String?

    private init(_ address: ServerAddress?, _ management: ServerAddress?, roots: String? = nil) {
      self.address = address ?? ServerAddress(host: "")
      self.management = management ?? self.address
      self.roots = roots
    }

    /// Apple's service for apps from TestFlight, Ad Hoc and the App Store.
    public static let production = apple(.production)

    /// Apple's service for development builds.
    public static let sandbox = apple(.sandbox)

    private static func apple(_ service: PushEnvironment) -> Environment {
      Environment(service.address, service.managementAddress)
    }

    /// Another server, such as an emulator.
    ///
    /// - Parameters:
    ///   - url: `https://` with a host and a port.
    ///   - management: the URL for managing channels; nil for the same server.
    ///   - roots: a PEM file of certificates to trust in addition to the system's.
    /// - Throws: ``ServerAddressError`` when a URL is none.
    public static func server(
      _ url: String, management: String? = nil, roots: String? = nil
    ) throws(ServerAddressError) -> Environment {
      let other = try management.map { (url) throws(ServerAddressError) in
        try ServerAddress(url: url)
      }
      return Environment(try ServerAddress(url: url), other, roots: roots)
    }

    func target(_ address: ServerAddress, _ options: Options) -> DialTarget {
      DialTarget(
        host: address.host, port: address.port,
        proxy: options.proxy?.setting, additionalRoots: roots,
        timeoutMilliseconds: options.connectTimeout.milliseconds)
    }
  }
}
