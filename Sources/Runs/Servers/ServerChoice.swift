package import APNS
package import HTTP2
internal import POSIX
package import Reporting
package import Settings

/// The server to send to, according to settings.
package struct ServerChoice: Sendable {
  package var environment: PushEnvironment
  /// The environment to try next when the device token does not belong to `environment`; nil when
  /// there is only one choice.
  package var alternative: PushEnvironment?
  /// The environment as named, before a port changed its address.
  package private(set) var named: PushEnvironment
  /// A host that replaces the environment's; nil for none.
  private var host: ServerAddress?
  package private(set) var roots: String?
  /// The proxy for this server; nil when there is none, or the server runs in this process.
  package private(set) var proxy: ProxySetting?
  /// An emulator in this process poses as production, as a certificate may require.
  package var emulatesProduction = false
  /// The option, scenario or variable that names the environment.
  package let origin: String
  /// TLS keys may be written to the file that `SSLKEYLOGFILE` names.
  let allowsKeyLog: Bool

  /// - Throws: `Failure.noEnvironment` when the settings name none: there is no default.
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
      // An emulator is reached directly, and its own certificate is trusted.
      for (name, origin) in [("--ca", settings.ca?.origin), ("--proxy", settings.proxy?.origin)]
      where origin?.isOption ?? false { throw .conflict(name, "--env \(environment.name)") }
      // A CA from a profile is meant for other servers.
      if settings.ca?.origin.file != nil { roots = nil }
    }
    roots = found ?? roots
    if settings.channel != nil, let given = settings.broadcastHost {
      if environment.isEmulator { throw .conflict("--broadcast-host", "--env \(environment.name)") }
      host = try ServerAddress(given, port: environment.address?.port)
    }
    try chooseProxy(settings, context)
  }

  /// The value to store for the next time. Another emulator may have the inbox by then.
  package var setting: EnvironmentSetting {
    if case .inbox = named { .inbox } else { .named(named) }
  }

  /// The address to connect to; nil for an emulator in this process.
  package var address: ServerAddress? { host ?? environment.address }

  /// The environments to try, in order.
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

  /// The same choice with the host that manages channels.
  ///
  /// - Throws: `Failure` when the host given is malformed, and for an emulator.
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

  /// Chooses the proxy for the current host, which may be one to reach directly.
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
  /// Applies a port to Apple's services. Other servers have it in their URL.
  fileprivate func withPort(_ environment: PushEnvironment) throws(Failure) -> PushEnvironment {
    guard let port else { return environment }
    switch environment {
    case .production, .sandbox:
      if !PushEnvironment.servicePorts.contains(port.value) { throw .badPort(port) }
      return .server(ServerAddress(host: environment.address?.host ?? "", port: port.value))
    case .server where port.origin.isOption: throw .conflict("--port", "--server")
    case .emulator where port.origin.isOption, .inbox where port.origin.isOption:
      throw .conflict("--port", "--env \(environment.name)")
    case .server, .emulator, .inbox: return environment
    }
  }

  /// The proxy for a host, chosen by the rules of curl; nil for none. NO_PROXY does not apply to an
  /// option.
  ///
  /// - Throws: `Failure` when the proxy would be used but its URL is malformed, or when an option
  ///   holds a password.
  func proxySetting(for host: String, _ context: Context) throws(Failure) -> ProxySetting? {
    guard let proxy, !proxy.value.isEmpty else { return nil }
    let exceptions = proxy.origin.isOptionOrStored ? "" : context.proxyExceptions
    let (url, origin) = (proxy.value, proxy.origin.text)
    let setting = ProxySetting(url: url, exceptions: exceptions, origin: origin)
    guard setting.applies(to: host) else { return setting }
    guard let parsed = ProxyURL(url) else { throw .unreadableProxy(origin) }
    if proxy.origin.isOption, parsed.hasPassword {
      throw .passwordInArgument(option: origin, variable: "HTTPS_PROXY")
    }
    return setting
  }
}

/// The log of TLS keys, which libcurl creates at setup and writes to the file that a variable
/// names. Whoever has the file can read provider tokens in recorded traffic.
package enum KeyLog {
  /// Checks that the log is allowed. Call it before any connection.
  ///
  /// - Throws: `Failure.keyLog` when the variable is set and `--tls-key-log` is not given.
  package static func check(_ choice: ServerChoice, _ context: Context) throws(Failure) {
    guard let path = path(context), !choice.allowsKeyLog else { return }
    throw .keyLog(path: path)
  }

  /// - Parameter used: the files that the command uses otherwise.
  /// - Throws: `Failure.overwrites` when the log is one of them.
  package static func refuse(
    among used: FilesInUse, _ settings: Settings, _ context: Context
  ) throws(Failure) {
    var used = used
    try used.claim("SSLKEYLOGFILE", settings.tlsKeyLog.isOn ? path(context) : nil)
  }

  /// Warns that the keys are written, on every run.
  static func warn(_ choice: ServerChoice, _ context: Context) {
    guard let path = path(context), choice.allowsKeyLog else { return }
    // libcurl would make it readable for everyone.
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    if file >= 0 { close(file) }
    context.teller.warn([CredentialWarning.keyLog(path: path)].parts)
  }

  /// The path in the variable; nil when it is unset or empty.
  package static func path(_ context: Context) -> String? {
    context.environment["SSLKEYLOGFILE"].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension PushEnvironment {
  /// Apple's production service, on any port.
  package var isProduction: Bool {
    address != nil && address?.host.lowercased() == Self.production.address?.host
  }
}
