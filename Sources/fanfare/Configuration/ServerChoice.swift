internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import PushCore

/// Where to send, after all layers were looked at.
struct ServerChoice {
  var environment: PushEnvironment
  var roots: String?
  /// The proxy that is named for it; nil when none is, or when it runs in this process.
  var proxy: ProxySetting?

  /// Options first, then the scenario, then variables.
  ///
  /// - Throws: `Failure.noEnvironment` when none of them names one: there is no default.
  init(_ options: ServerOptions, scenario: Scenario?, _ context: Context) throws(Failure) {
    var named = try options.chosen()
    // A scenario's own authority is trusted for the scenario's own server, and no other.
    let scenarioRoots = named == nil ? scenario?.roots : nil
    if named == nil { named = scenario?.environment }
    if named == nil { named = try Self.fromVariables(context) }
    guard let named else { throw .noEnvironment }
    environment = try options.withPort(named)
    if named == .emulator { try options.refuseOptionsOfOtherServers() }
    roots = options.roots ?? scenarioRoots ?? context.value(.roots)
    proxy = try environment.address.flatMap { address throws(Failure) in
      try ProxyChoice(options.proxy, context).setting(for: address.host)
    }
  }

  private static func fromVariables(_ context: Context) throws(Failure) -> PushEnvironment? {
    if let url = context.value(.server) {
      return .server(try address(url, setting: EnvironmentVariable.server.rawValue))
    }
    guard let name = context.value(.environment) else { return nil }
    guard let environment = EnvironmentName(rawValue: name)?.environment else {
      throw .badSetting(
        name: EnvironmentVariable.environment.rawValue, text: name,
        expected: EnvironmentName.choices.joined(separator: ", "))
    }
    return environment
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
  fileprivate func chosen() throws(Failure) -> PushEnvironment? {
    if environment != nil, server != nil { throw .usage(.conflict("--env", "--server")) }
    if let server { return .server(try ServerChoice.address(server, setting: "--server")) }
    return environment?.environment
  }

  /// The emulator is reached directly, and its own certificate is trusted.
  fileprivate func refuseOptionsOfOtherServers() throws(Failure) {
    for (name, value) in [("--ca", roots), ("--proxy", proxy)] where value != nil {
      throw .usage(.conflict(name, "--env emulator"))
    }
  }

  fileprivate func withPort(_ environment: PushEnvironment) throws(Failure) -> PushEnvironment {
    guard let port else { return environment }
    switch environment {
    case .production, .sandbox:
      let host = environment.address?.host ?? ""
      return .server(ServerAddress(host: host, port: port.port))
    case .server: throw .usage(.conflict("--port", "--server"))
    case .emulator: throw .usage(.conflict("--port", "--env emulator"))
    }
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
