internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import Opening
internal import POSIX
internal import PlainText
internal import PushEmulator
internal import Reporting
internal import SQLHistory
internal import Settings

/// Looks at the platform, step by step.
struct PlatformLook {
  private let context: Context
  private let timeoutMilliseconds: Int
  /// Where the history is tried; made by the step of the temporary folder.
  private var scratch: ScratchFolder?

  init(_ context: Context, timeoutMilliseconds: Int) {
    (self.context, self.timeoutMilliseconds) = (context, timeoutMilliseconds)
  }

  mutating func sight(of step: PlatformStep) -> PlatformSight {
    switch step {
    case .libcurl: CurlFacts.loaded.sight
    case .openSSL: OpenSSLFacts.inUse.sight(.loaded)
    case .nghttp2: NGHTTP2Facts.inUse.sight
    case .sqlite: SQLiteFacts.inUse.sight
    case .roots: RootFacts.ofSystem.sight
    case .clocks: ClockFacts(context.clock).sight
    case .randomness: randomness
    case .stack: StackFacts.measured().sight
    case .descriptors: descriptors
    case .temporaryFolder: temporaryFolder()
    case .push: attempted { () throws(Failure) in try push().sight }
    case .certificates: attempted { () throws(Failure) in try badCertificates().sight }
    case .proxy: proxy
    case .history: HistoryTrial.inFolder(scratch?.path ?? "", context.clock).sight
    }
  }

  private func attempted(_ look: () throws(Failure) -> PlatformSight) -> PlatformSight {
    do throws(Failure) { return try look() } catch { return .broken(error) }
  }
}

// The process and the system.
extension PlatformLook {
  private var randomness: PlatformSight {
    RandomFacts(
      draws: [context.clock.random(), context.clock.random()],
      isSeeded: OpenSSLFacts.inUse.isSeeded
    ).sight
  }

  private var descriptors: PlatformSight {
    guard let limit = DescriptorLimit.current else {
      return .warning(
        "The system does not say how many files may be open.", fix: "Check 'ulimit -n'.")
    }
    return limit.sight
  }

  private mutating func temporaryFolder() -> PlatformSight {
    var facts = TemporaryFolderFacts(folder: context.temporaryFolder)
    do throws(FileFailure) {
      let folder = try ScratchFolder(in: facts.folder)
      try folder.tryOut()
      scratch = folder
    } catch {
      facts.failure = error
    }
    return facts.sight
  }
}

// Connections to servers in this process.
extension PlatformLook {
  /// The emulator takes no other key's provider tokens, so that the signature is verified.
  private func push() throws(Failure) -> LoopbackPush {
    let credentials = try OpenedCredentials.throwAway(context)
    guard case .key(let keyID, let teamID, let tokens) = credentials.kind else { throw .noKey }
    var configuration = EmulatorConfiguration()
    do {
      configuration.trustedKeys = [
        try TrustedKey(keyID: keyID.text, teamID: teamID.text, publicKey: tokens.publicKeyDER())
      ]
    } catch {
      throw .badThrowAway(error)
    }
    let emulator = try RunningEmulator(configuration, context)
    let plan = DiagnosisPlan(
      environment: .emulator, target: target(emulator, emulator.rootsPath),
      credentials: .tokens(tokens, keyID, teamID, fileName: nil),
      topic: try? Topic("com.example.fanfare"), clock: context.clock)
    let report = Diagnosis(plan).run()
    return LoopbackPush(plan: plan, report: report, accepted: emulator.processedCount)
  }

  private static let badTerms: [(fault: DialError.CertificateFault, terms: CertificateTerms)] = [
    (.untrusted, CertificateTerms()), (.wrongName, CertificateTerms(names: ["other.example"])),
    (.expired, CertificateTerms(validUntil: -60)),
    (.notYetValid, CertificateTerms(validFrom: 3600)),
  ]

  private func badCertificates() throws(Failure) -> [BadCertificate] {
    let stranger = try RunningEmulator(.init(), context)
    return try Self.badTerms.map { (fault, terms) throws(Failure) in
      var configuration = EmulatorConfiguration()
      configuration.certificate = terms
      let emulator = try RunningEmulator(configuration, context)
      let roots = fault == .untrusted ? stranger.rootsPath : emulator.rootsPath
      return BadCertificate(fault: fault, error: error(dialing: target(emulator, roots)))
    }
  }

  private func target(_ emulator: RunningEmulator, _ roots: String) -> DialTarget {
    DialTarget(
      host: "127.0.0.1", port: emulator.port, additionalRoots: roots,
      timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Nil when the connection was opened.
  private func error(dialing target: DialTarget) -> DialError? {
    do throws(DialError) {
      _ = try Dialer.dial(target)
      return nil
    } catch {
      return error
    }
  }

  /// The name is never looked up: that would be the work of the proxy, which refuses.
  private var proxy: PlatformSight {
    // It waits longer than its client, so that the client says whether time ran out.
    guard let proxy = RefusingProxy(milliseconds: timeoutMilliseconds + 1000) else {
      return .broken(
        "No port on 127.0.0.1 can be listened on.",
        fix: "Let programs listen on 127.0.0.1, with ports that the system chooses.")
    }
    let target = DialTarget(
      host: "fanfare.invalid", proxy: ProxySetting(url: proxy.url, origin: "--self"),
      timeoutMilliseconds: timeoutMilliseconds)
    let error = error(dialing: target)
    return ProxyTrial(request: proxy.request, error: error).sight
  }
}

extension Failure {
  /// A key that was just made is of no use.
  fileprivate static func badThrowAway(_ error: any Error) -> Failure {
    Failure(
      "OpenSSL makes no key on P-256 (\("\(error)".printable)).",
      fix: "Install another version of OpenSSL 3.")
  }
}
