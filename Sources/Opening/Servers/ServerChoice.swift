package import APNS
package import HTTP2
internal import POSIX
package import Reporting
package import Settings

/// Where to send, as settings say it.
package struct ServerChoice: Sendable {
  package var environment: PushEnvironment
  /// Where to ask next when the device token does not belong to `environment`; nil when it is known
  /// where to send.
  package var alternative: PushEnvironment?
  /// The environment as it was named, before a port changed its address.
  package private(set) var named: PushEnvironment
  /// Another host than the environment's own; nil for that.
  private var host: ServerAddress?
  package private(set) var roots: String?
  /// The proxy that is named for it; nil when none is, or when it runs in this process.
  package private(set) var proxy: ProxySetting?
  /// Whether an emulator in this process stands for production, as a certificate may want it.
  package var emulatesProduction = false
  /// The option, scenario or variable that names it.
  package let origin: String
  /// Whether the keys of connections may be written where `SSLKEYLOGFILE` says.
  let allowsKeyLog: Bool

  /// - Throws: `Failure.noEnvironment` when they name none: there is no default.
  package init(_ settings: Settings, _ context: Context) throws(Failure) {
    guard let said = settings.environment else { throw .noEnvironment }
    var found: String?
    (origin, allowsKeyLog) = (said.origin.text, settings.tlsKeyLog.isOn)
    switch said.value {
    case .named(let environment): named = environment
    case .inbox:
      let notice = try InboxNotice.newest(context)
      (named, found) = (.inbox(notice.server), notice.roots)
    case .auto:
      named = .sandbox
      alternative = try settings.withPort(.production)
    }
    environment = try settings.withPort(named)
    roots = settings.ca?.value
    if environment.isEmulator {
      // It is reached directly, and its own certificate is trusted.
      for (name, origin) in [("--ca", settings.ca?.origin), ("--proxy", settings.proxy?.origin)]
      where origin?.isOption ?? false { throw .conflict(name, "--env \(environment.name)") }
      // What a profile trusts for other servers does not concern the emulator.
      if settings.ca?.origin.file != nil { roots = nil }
    }
    roots = found ?? roots
    if settings.channel != nil, let given = settings.broadcastHost {
      if environment.isEmulator { throw .conflict("--broadcast-host", "--env \(environment.name)") }
      host = try ServerAddress(given, port: environment.address?.port)
    }
    try chooseProxy(settings, context)
  }

  /// What is kept of it for the next time. Which emulator has an inbox may have changed by then.
  package var setting: EnvironmentSetting {
    if case .inbox = named { .inbox } else { .named(named) }
  }

  /// Where to connect; nil for an emulator in this process.
  package var address: ServerAddress? { host ?? environment.address }

  /// The environments to ask, in order.
  package var environments: [PushEnvironment] { [environment] + [alternative].compactMap(\.self) }

  package func at(
    _ environment: PushEnvironment, _ settings: Settings, _ context: Context
  ) throws(Failure) -> ServerChoice {
    var choice = self
    if environment == alternative { choice.named = .production }
    (choice.environment, choice.alternative) = (environment, nil)
    try choice.chooseProxy(settings, context)
    return choice
  }

  /// The same with the host that manages channels.
  ///
  /// - Throws: `Failure` when one is given that cannot be read, or for an emulator.
  package func managing(_ settings: Settings, _ context: Context) throws(Failure) -> ServerChoice {
    var choice = self
    choice.host = named.managementAddress
    if let given = settings.manageHost {
      if environment.isEmulator { throw .conflict("--manage-host", "--env \(environment.name)") }
      choice.host = try ServerAddress(given, port: choice.host?.port)
    }
    try choice.chooseProxy(settings, context)
    return choice
  }

  /// Which hosts are reached directly depends on the host.
  private mutating func chooseProxy(
    _ settings: Settings, _ context: Context
  ) throws(Failure) {
    if environment.isEmulator { return proxy = nil }
    proxy = try address.flatMap { address throws(Failure) in
      try settings.proxySetting(for: address.host, context)
    }
  }
}

extension Settings {
  /// Apple's services have another port; others have it in their URL.
  fileprivate func withPort(_ environment: PushEnvironment) throws(Failure) -> PushEnvironment {
    guard let port else { return environment }
    switch environment {
    case .production, .sandbox:
      return .server(ServerAddress(host: environment.address?.host ?? "", port: port.value))
    case .server where port.origin.isOption: throw .conflict("--port", "--server")
    case .emulator where port.origin.isOption, .inbox where port.origin.isOption:
      throw .conflict("--port", "--env \(environment.name)")
    case .server, .emulator, .inbox: return environment
    }
  }

  /// What to dial a host with, as curl reads it; nil when no proxy is named. NO_PROXY does not apply
  /// to an option.
  ///
  /// - Throws: `Failure` when the host would be reached through a proxy whose URL cannot be read,
  ///   or when an argument holds a password.
  func proxySetting(for host: String, _ context: Context) throws(Failure) -> ProxySetting? {
    guard let proxy, !proxy.value.isEmpty else { return nil }
    let exceptions = proxy.origin.isOptionOrStored ? "" : context.proxyExceptions
    let (url, origin) = (proxy.value, proxy.origin.text)
    let setting = ProxySetting(url: url, exceptions: exceptions, origin: origin)
    guard setting.applies(to: host) else { return setting }
    guard let parsed = ProxyURL(url) else {
      throw .badSetting(
        name: origin, text: withoutLogin(url),
        expected: "http://HOST:PORT, socks5h://HOST:PORT or another SOCKS proxy's URL")
    }
    if proxy.origin.isOption, parsed.hasPassword {
      throw .passwordInArgument(option: origin, variable: "HTTPS_PROXY")
    }
    return setting
  }
}

/// libcurl writes the keys of its connections into the file that a variable names, and creates it
/// when it is set up: whoever has the file can read provider tokens in recorded traffic.
package enum KeyLog {
  /// To be called before anything connects.
  ///
  /// - Throws: `Failure.keyLog` when the variable is set and `--tls-key-log` is not given.
  package static func check(_ choice: ServerChoice, _ context: Context) throws(Failure) {
    guard let path = path(context), !choice.allowsKeyLog else { return }
    throw .keyLog(path: path)
  }

  /// Says each time that the keys are written.
  static func warn(_ choice: ServerChoice, _ context: Context) {
    guard let path = path(context), choice.allowsKeyLog else { return }
    // libcurl would make it readable for everyone.
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    if file >= 0 { close(file) }
    CredentialWarning.tell([.keyLog(path: path)], context)
  }

  /// Where the variable wants the keys; nil when it is not set, or empty.
  package static func path(_ context: Context) -> String? {
    context.environment["SSLKEYLOGFILE"].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension PushEnvironment {
  /// Whether it is Apple's production service, under whatever port.
  package var isProduction: Bool {
    address != nil && address?.host.lowercased() == Self.production.address?.host
  }
}
