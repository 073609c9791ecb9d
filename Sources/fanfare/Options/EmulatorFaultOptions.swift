internal import CommandLineKit
internal import PushEmulator

/// What the emulator shows to clients that are to be tested on bad days.
struct EmulatorFaultOptions: Sendable, Equatable {
  var certificate = CertificateKind.good
  var names: HostNames?
  var alpn = ProtocolName.h2
  var clock: ClockArgument?
  var requireCertificate = false

  static let group = OptionGroup<Self>(
    "Connection",
    [
      .option(
        "certificate", \.certificate, value: "KIND", help: "What is wrong with its certificate."),
      .option(
        "names", \.names, value: "HOST,…",
        help: "More names that its certificate is for, such as api.push.apple.com."),
      .option(
        "protocol", \.alpn, value: "NAME", help: "What it answers to ALPN; it speaks h2 only."),
      .option(
        "clock", \.clock, value: "OFFSET",
        help: "How far its clock is off, such as --clock=-90m; answers then tell its time."),
      .flag(
        "require-certificate", \.requireCertificate,
        help: "Refuse a client without a certificate in the TLS handshake."),
    ])

  /// Sets up an emulator.
  func apply(to configuration: inout EmulatorConfiguration) {
    configuration.certificate = certificate.terms
    configuration.certificate.names += names?.names ?? []
    configuration.protocols = alpn.protocols
    configuration.clockOffset = clock?.offset.seconds ?? 0
    configuration.sendsDate = clock != nil
    configuration.requiresClientCertificate = requireCertificate
  }
}
