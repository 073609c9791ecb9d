import APNS
import Credentials
import Foundation
import HTTP2
import PushEmulator
import SendingSupport

import TestSupport
import class TestSupport.TestProxy

@testable import Diagnosis
@testable import HTTP2

/// A patient: an emulator, a key, and a plan that leads to it.
struct DiagnosisBench {
  let emulator: Emulator
  var plan: DiagnosisPlan
  private let folder: KeptFolder

  init(_ configure: (inout EmulatorConfiguration, borrowing SigningKey) throws -> Void) throws {
    let key = try SigningKey.generate()
    var configuration = EmulatorConfiguration()
    configuration.sendsDate = true
    configuration.answer = { push in
      push.token.hex == Diagnosis.falseToken ? .reject(.badDeviceToken) : nil
    }
    try configure(&configuration, key)
    emulator = try Emulator(configuration)
    folder = try KeptFolder()
    let roots = try folder.file("roots.pem", emulator.certificateAuthorityPEM)
    plan = DiagnosisPlan(
      environment: .emulator,
      target: DialTarget(
        host: "127.0.0.1", port: emulator.port, additionalRoots: roots,
        timeoutMilliseconds: 10_000),
      topic: try Topic("com.example.shop"))
    plan.credentials = try Self.credentials(key)
  }

  init(_ configure: (inout EmulatorConfiguration) -> Void = { _ in }) throws {
    try self.init { configuration, _ in configure(&configuration) }
  }

  static let keyID = "ABC123DEFG"
  static let teamID = "DEF123GHIJ"

  static func credentials(
    _ key: consuming SigningKey,
    now: @escaping @Sendable () -> Int64 = { RunClock.system.epochSeconds }
  ) throws -> DiagnosisCredentials {
    let (keyID, teamID) = (try KeyID(keyID), try TeamID(teamID))
    let source = ProviderTokenSource(key: key, keyID: keyID, teamID: teamID, now: now)
    return .tokens(source, keyID, teamID, fileName: nil)
  }

  /// Leads to the emulator by the name of Apple's production, through a proxy.
  mutating func standInForApple(_ proxy: TestProxy) {
    plan.environment = .production
    plan.target.host = "api.push.apple.com"
    plan.target.port = 443
    plan.target.proxy = ProxySetting(url: proxy.url, origin: "HTTPS_PROXY")
  }

  func examine() throws -> DiagnosisReport {
    let plan = plan
    return try within { Diagnosis(plan).run() }
  }
}

extension DiagnosisNetwork {
  /// A network with these addresses, on which ports and addresses are open or not.
  static func made(
    _ addresses: [String], connect: @escaping @Sendable (HostAddress, UInt16) -> TCPProbe.Failure?
  ) -> DiagnosisNetwork {
    DiagnosisNetwork(
      addresses: { _ in .success(addresses.compactMap { HostAddress($0) }) },
      connect: { address, port, _ in connect(address, port).map { .failure($0) } ?? .success(3) })
  }

  /// A network whose resolver knows nobody.
  static let nameless = DiagnosisNetwork(
    addresses: { _ in .failure(HostLookup.Failure(code: EAI_NONAME)) },
    connect: { _, _, _ in .failure(.timedOut) })
}

extension DiagnosisReport {
  subscript(step: DiagnosisStep) -> DiagnosisVerdict {
    findings.first { $0.step == step }?.verdict ?? .notReached
  }

  func evidence(_ step: DiagnosisStep) -> DiagnosisEvidence? {
    findings.first { $0.step == step }?.evidence
  }

  /// The evidence of a step as Swift prints it.
  func words(_ step: DiagnosisStep) -> String { evidence(step).map { "\($0)" } ?? "" }

  /// The steps with this verdict.
  func steps(_ verdict: DiagnosisVerdict) -> [DiagnosisStep] {
    findings.filter { $0.verdict == verdict }.map(\.step)
  }

  /// The first broken step; everything behind it was not reached.
  var broken: DiagnosisStep? {
    guard let broken = steps(.broken).first else { return nil }
    let isLast = steps(.notReached) == DiagnosisStep.allCases.filter { $0.number > broken.number }
    return isLast && steps(.broken).count == 1 ? broken : nil
  }
}
