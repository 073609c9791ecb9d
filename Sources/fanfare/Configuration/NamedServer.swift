internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import Projects

/// Where to send, as the highest layer says it that says anything.
struct NamedServer {
  let setting: EnvironmentSetting
  /// The option, scenario, variable or place in a file that names it.
  let origin: String
  /// The authority that a scenario or profile trusts for its own server, and no other.
  var roots: String?

  /// Nil when no layer says anything.
  init?(_ options: ServerOptions, _ scenario: Scenario?, _ context: Context) throws(Failure) {
    if let chosen = try options.chosen() {
      self.init(setting: chosen, origin: options.server == nil ? "--env" : "--server")
    } else if let scenario, let setting = scenario.environment {
      self.init(setting: setting, origin: scenario.file, roots: scenario.roots)
    } else if let named = try Self(context) {
      self = named
    } else if let profile = try context.profile(), let setting = profile.environment {
      let origin = profile.origin(of: "environment").text
      self.init(setting: setting, origin: origin, roots: profile.serverRoots)
    } else {
      return nil
    }
  }

  private init(setting: EnvironmentSetting, origin: String, roots: String? = nil) {
    (self.setting, self.origin, self.roots) = (setting, origin, roots)
  }

  /// What variables say.
  private init?(_ context: Context) throws(Failure) {
    let (server, environment) = (EnvironmentVariable.server, EnvironmentVariable.environment)
    if let url = context.value(server) {
      let address = try Self.address(url, setting: server.rawValue)
      self.init(setting: .named(.server(address)), origin: server.rawValue)
      return
    }
    guard let name = context.value(environment) else { return nil }
    guard let setting = EnvironmentName(rawValue: name)?.setting else {
      throw .badSetting(
        name: environment.rawValue, text: name,
        expected: EnvironmentName.choices.joined(separator: ", "))
    }
    self.init(setting: setting, origin: environment.rawValue)
  }

  fileprivate static func address(_ url: String, setting: String) throws(Failure) -> ServerAddress {
    do throws(ServerAddressError) {
      return try ServerAddress(url: url)
    } catch {
      throw .badSetting(name: setting, text: withoutLogin(url), expected: error.expectation)
    }
  }
}

extension ServerOptions {
  fileprivate func chosen() throws(Failure) -> EnvironmentSetting? {
    if environment != nil, server != nil { throw .usage(.conflict("--env", "--server")) }
    if let server { return .named(.server(try NamedServer.address(server, setting: "--server"))) }
    return environment?.setting
  }
}

extension ServerAddressError {
  /// What should stand there instead.
  fileprivate var expectation: String {
    switch self {
    case .noScheme, .badHost: "https://HOST or https://HOST:PORT"
    case .notHTTPS: "a URL that begins with https://, for APNs is never spoken to without TLS"
    case .notOnlyHost: "https://HOST:PORT without a path, a query or a user name"
    case .badPort: "a port from 1 to 65535 behind the host"
    }
  }
}
