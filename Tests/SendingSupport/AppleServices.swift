package import PushEmulator
package import TestSupport

/// Two emulators that bear the names of Apple's hosts, behind a proxy that leads there.
package struct AppleServices {
  /// What an emulator says to a push that passed its checks; nil accepts it.
  package typealias Answer = @Sendable (IncomingPush) -> EmulatorAnswer?

  /// The one for development builds.
  package let sandbox: Emulator
  /// The one for TestFlight and the App Store.
  package let production: Emulator
  /// The only way to them: no other process asks Apple's hosts for anything.
  package let proxy: TestProxy

  package init(
    sandbox: @escaping Answer = { _ in nil }, production: @escaping Answer = { _ in nil }
  ) throws {
    self.sandbox = try Self.service(.sandbox, "api.sandbox.push.apple.com", sandbox)
    self.production = try Self.service(.production, "api.push.apple.com", production)
    proxy = try TestProxy(routes: [
      "api.sandbox.push.apple.com:443": self.sandbox.port,
      "api.push.apple.com:443": self.production.port,
    ])
  }

  private static func service(
    _ environment: EmulatorEnvironment, _ name: String, _ answer: @escaping Answer
  ) throws -> Emulator {
    var configuration = EmulatorConfiguration()
    configuration.environment = environment
    configuration.certificate = CertificateTerms(names: [name])
    configuration.answer = answer
    return try Emulator(configuration)
  }

  /// Who signed their certificates, in PEM.
  package var authorities: String {
    sandbox.certificateAuthorityPEM + production.certificateAuthorityPEM
  }
}
