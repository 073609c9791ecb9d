import APNS
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
    self.sandbox = try Self.service(.sandbox, sandbox)
    self.production = try Self.service(.production, production)
    let ports = [(PushEnvironment.sandbox, self.sandbox.port), (.production, self.production.port)]
    let routes = ports.flatMap { environment, port in
      Self.addresses(of: environment).map { ("\($0.host):\($0.port)", port) }
    }
    proxy = try TestProxy(routes: Dictionary(routes) { first, _ in first })
  }

  private static func service(
    _ environment: EmulatorEnvironment, _ answer: @escaping Answer
  ) throws -> Emulator {
    var configuration = EmulatorConfiguration()
    configuration.environment = environment
    let apple: PushEnvironment = environment == .sandbox ? .sandbox : .production
    configuration.certificate = CertificateTerms(names: addresses(of: apple).map(\.host))
    configuration.answer = answer
    return try Emulator(configuration)
  }

  /// Where pushes go, and where channels are managed.
  private static func addresses(of environment: PushEnvironment) -> [ServerAddress] {
    [environment.address, environment.managementAddress].compactMap(\.self)
  }

  /// Who signed their certificates, in PEM.
  package var authorities: String {
    sandbox.certificateAuthorityPEM + production.certificateAuthorityPEM
  }
}
