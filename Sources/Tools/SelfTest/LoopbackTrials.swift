internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import PlainText
internal import PushEmulator
internal import Reporting
internal import Runs
internal import Settings

/// Connections to servers in this process.
struct LoopbackTrials {
  private let context: Context
  private let timeoutMilliseconds: Int

  init(_ context: Context, timeoutMilliseconds: Int) {
    (self.context, self.timeoutMilliseconds) = (context, timeoutMilliseconds)
  }

  /// Pushes to an emulator that accepts only this key's provider tokens, to verify the signature.
  func push() throws(Failure) -> LoopbackPush {
    let credentials = try OpenedCredentials.throwAway(context)
    guard case .key(let keyID, let teamID, let tokens) = credentials.kind else { throw .noKey }
    var configuration = EmulatorConfiguration()
    configuration.trustedKeys = [
      try attempt(
        try TrustedKey(keyID: keyID.text, teamID: teamID.text, publicKey: tokens.publicKeyDER()),
        Failure.badThrowAway)
    ]
    let emulator = try RunningEmulator(configuration, context)
    let plan = DiagnosisPlan(
      environment: .emulator, target: target(emulator, emulator.rootsPath),
      credentials: .tokens(tokens, keyID, teamID, fileName: nil),
      topic: try? Topic("com.example.fanfare"), clock: context.clock)
    let report = Diagnosis(plan).run()
    return LoopbackPush(plan: plan, report: report, accepted: emulator.processedCount)
  }

  private static let bad: [(BadCertificate, CertificateTerms)] = [
    (.init(fault: .untrusted, name: "A certificate of an unknown authority"), .init()),
    (
      .init(fault: .wrongName, name: "A certificate for another name"),
      .init(names: ["other.example"])
    ),
    (.init(fault: .expired, name: "An expired certificate"), .init(validUntil: -60)),
    (
      .init(fault: .notYetValid, name: "A certificate that is not valid yet"),
      .init(validFrom: 3600)
    ),
  ]

  func badCertificates() throws(Failure) -> [BadCertificate] {
    let stranger = try RunningEmulator(.init(), context)
    return try Self.bad.map { (bad, terms) throws(Failure) in
      var configuration = EmulatorConfiguration()
      configuration.certificate = terms
      let emulator = try RunningEmulator(configuration, context)
      let roots = bad.fault == .untrusted ? stranger.rootsPath : emulator.rootsPath
      var certificate = bad
      certificate.error = error(dialing: target(emulator, roots))
      return certificate
    }
  }

  private func target(_ emulator: RunningEmulator, _ roots: String) -> DialTarget {
    DialTarget(
      host: "127.0.0.1", port: emulator.port, additionalRoots: roots,
      timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Nil if the connection was opened.
  private func error(dialing target: DialTarget) -> DialError? {
    do throws(DialError) { _ = try Dialer.dial(target) } catch { return error }
    return nil
  }
}

extension Failure {
  /// OpenSSL could not make a temporary key.
  fileprivate static func badThrowAway(_ error: any Error) -> Failure {
    Failure(
      "OpenSSL makes no key on P-256 (\("\(error)".printable)).",
      fix: "Install another version of OpenSSL 3.")
  }
}

/// A push to an emulator in this process: the diagnosis of its path, and the number accepted.
struct LoopbackPush {
  var plan: DiagnosisPlan
  var report: DiagnosisReport
  var accepted: Int

  var outcome: StepOutcome {
    if let broken = report.findings.first(where: { $0.verdict == .broken }) {
      let sentence = broken.text(plan)?.sentence ?? ""
      return .broken(
        "\(broken.step.name): \(sentence)", fix: Self.fix,
        ["step": .text(broken.step.rawValue)])
    }
    guard accepted == 1 else {
      return .broken(
        "The emulator in this process accepted \(accepted) pushes, not one.", fix: Self.fix)
    }
    let tls = report.findings.first { $0.step == .tls }?.evidence
    guard case .handshake(let facts, _)? = tls else { return .ok(Self.sentence) }
    return .ok(
      "\(Self.sentence) \(facts.tlsVersion), \(facts.cipher).",
      ["version": .text(facts.tlsVersion), "cipher": .text(facts.cipher)])
  }

  private static let sentence = "Signed with ES256, sent to this process and accepted."
  private static let fix =
    "Let programs connect to 127.0.0.1, and give a longer --timeout if this machine is slow. If that "
    + "is not enough, install other versions of libcurl, OpenSSL or nghttp2, and report these."
}

/// A server with a certificate that must be refused, and the result of connecting to it.
struct BadCertificate {
  let fault: DialError.CertificateFault
  /// The certificate in a sentence.
  let name: String
  /// Nil if the connection was opened.
  var error: DialError?

  /// Nil if the connection was refused for the expected reason.
  fileprivate var problem: StepOutcome? {
    guard let error else {
      return .broken(
        "\(name) was accepted.",
        fix: "Do not send with this build: connections can be intercepted. Build it with another "
          + "libcurl, and report this one.")
    }
    if error.layer == .certificate(fault) { return nil }
    return .broken(
      "\(name) was not refused for that: \(error.sentence)",
      fix:
        "Connections are safe, but errors mislead. Give a longer --timeout if time ran out; else "
        + "update fanfare, and report this version of libcurl.")
  }
}

extension [BadCertificate] {
  var outcome: StepOutcome {
    let accepted = first { $0.error == nil }
    let problem = accepted?.problem ?? lazy.compactMap(\.problem).first
    return problem ?? .ok("Refused: an unknown authority, another name, expired, not valid yet.")
  }
}
