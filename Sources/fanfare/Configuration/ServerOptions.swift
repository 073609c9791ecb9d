internal import CommandLineKit

/// Where to send.
struct ServerOptions: Sendable, Equatable {
  var environment: EnvironmentName?
  var server: String?
  var port: PortArgument?
  var roots: String?
  var proxy: String?
  var tlsKeyLog = false
  var profile: String?

  static let group = OptionGroup<Self>(
    "Where",
    [
      .option(
        "env", \.environment, value: "NAME",
        help: "The service; the emulator is in this process, auto asks Apple's two.",
        environment: EnvironmentVariable.environment.rawValue),
      .option(
        "server", \.server, value: "URL", help: "A server of your own, https://HOST:PORT.",
        environment: EnvironmentVariable.server.rawValue),
      .option(
        "port", \.port, value: "N",
        help: "The port of production or sandbox, 443 or 2197."),
      .option(
        "ca", \.roots, value: "FILE", help: "Certificates to trust besides the system's, in PEM.",
        completion: .file, environment: EnvironmentVariable.roots.rawValue),
      .option(
        "proxy", \.proxy, value: "URL",
        help: "An HTTP or SOCKS proxy; without it HTTPS_PROXY counts."),
      NamedProfile.option(\.profile),
      .flag(
        "tls-key-log", \.tlsKeyLog,
        help: "Write the keys of connections to SSLKEYLOGFILE, to read recorded traffic with."),
    ])
}
