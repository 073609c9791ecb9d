internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import PushCore

/// Where to send, after all layers were looked at.
struct ServerChoice: Sendable {
  var environment: PushEnvironment
  /// Where to ask next when the device token does not belong to `environment`; nil when it is known
  /// where to send.
  var alternative: PushEnvironment?
  var roots: String?
  /// The proxy that is named for it; nil when none is, or when it runs in this process.
  var proxy: ProxySetting?
  /// Whether an emulator in this process stands for production, as a certificate may want it.
  var emulatesProduction = false
  /// The option, scenario or variable that names it.
  let origin: String
  /// Whether the keys of connections may be written where `SSLKEYLOGFILE` says.
  let allowsKeyLog: Bool

  /// Options first, then the scenario, then variables.
  ///
  /// - Throws: `Failure.noEnvironment` when none of them names one: there is no default.
  init(_ options: ServerOptions, scenario: Scenario?, _ context: Context) throws(Failure) {
    let (setting, origin) = try Self.setting(options, scenario, context)
    // A scenario's own authority is trusted for the scenario's own server, and no other.
    let scenarioRoots = origin == scenario?.file ? scenario?.roots : nil
    (self.origin, allowsKeyLog) = (origin, options.tlsKeyLog)
    switch setting {
    case .named(let named): environment = try options.withPort(named)
    case .auto:
      environment = try options.withPort(.sandbox)
      alternative = try options.withPort(.production)
    }
    if environment == .emulator { try options.refuseOptionsOfOtherServers() }
    roots = options.roots ?? scenarioRoots ?? context.value(.roots)
    try chooseProxy(options, context)
  }

  /// The environments to ask, in order.
  var environments: [PushEnvironment] { [environment] + [alternative].compactMap(\.self) }

  /// The same for one of the environments.
  func at(
    _ environment: PushEnvironment, _ options: ServerOptions, _ context: Context
  ) throws(Failure) -> ServerChoice {
    var choice = self
    (choice.environment, choice.alternative) = (environment, nil)
    try choice.chooseProxy(options, context)
    return choice
  }

  /// Which hosts are reached directly depends on the host.
  private mutating func chooseProxy(
    _ options: ServerOptions, _ context: Context
  ) throws(Failure) {
    proxy = try environment.address.flatMap { address throws(Failure) in
      try ProxyChoice(options.proxy, context).setting(for: address.host)
    }
  }

  private static func setting(
    _ options: ServerOptions, _ scenario: Scenario?, _ context: Context
  ) throws(Failure) -> (EnvironmentSetting, origin: String) {
    if let chosen = try options.chosen() {
      return (chosen, options.server == nil ? "--env" : "--server")
    }
    if let scenario, let setting = scenario.environment { return (setting, scenario.file) }
    guard let setting = try fromVariables(context) else { throw .noEnvironment }
    return setting
  }

  private static func fromVariables(
    _ context: Context
  ) throws(Failure) -> (EnvironmentSetting, origin: String)? {
    let (server, environment) = (EnvironmentVariable.server, EnvironmentVariable.environment)
    if let url = context.value(server) {
      return (.named(.server(try address(url, setting: server.rawValue))), server.rawValue)
    }
    guard let name = context.value(environment) else { return nil }
    guard let setting = EnvironmentName(rawValue: name)?.setting else {
      throw .badSetting(
        name: environment.rawValue, text: name,
        expected: EnvironmentName.choices.joined(separator: ", "))
    }
    return (setting, environment.rawValue)
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
    if let server { return .named(.server(try ServerChoice.address(server, setting: "--server"))) }
    return environment?.setting
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
