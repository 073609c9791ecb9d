internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import Projects

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

  /// Options first, then the scenario, then variables, then the profile.
  ///
  /// - Throws: `Failure.noEnvironment` when none of them names one: there is no default.
  init(_ options: ServerOptions, scenario: Scenario?, _ context: Context) throws(Failure) {
    guard let named = try NamedServer(options, scenario, context) else { throw .noEnvironment }
    let profile = try context.profile()
    (origin, allowsKeyLog) = (named.origin, options.tlsKeyLog)
    switch named.setting {
    case .named(let named): environment = try options.withPort(named, else: profile?.port)
    case .auto:
      environment = try options.withPort(.sandbox, else: profile?.port)
      alternative = try options.withPort(.production, else: profile?.port)
    }
    roots = options.roots ?? named.roots ?? context.value(.roots)
    if environment == .emulator {
      try options.refuseOptionsOfOtherServers()
    } else {
      roots = roots ?? profile?.roots
    }
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

}

extension ServerOptions {
  /// The emulator is reached directly, and its own certificate is trusted.
  fileprivate func refuseOptionsOfOtherServers() throws(Failure) {
    for (name, value) in [("--ca", roots), ("--proxy", proxy)] where value != nil {
      throw .usage(.conflict(name, "--env emulator"))
    }
  }

  /// - Parameter usual: the port of Apple's services when no option names one.
  fileprivate func withPort(
    _ environment: PushEnvironment, else usual: UInt16?
  ) throws(Failure) -> PushEnvironment {
    switch environment {
    case .production, .sandbox:
      guard let port = port?.port ?? usual else { return environment }
      return .server(ServerAddress(host: environment.address?.host ?? "", port: port))
    case _ where port == nil: return environment
    case .server: throw .usage(.conflict("--port", "--server"))
    case .emulator: throw .usage(.conflict("--port", "--env emulator"))
    }
  }
}
