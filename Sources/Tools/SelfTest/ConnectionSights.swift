internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import PlainText
internal import Reporting

// What is to be said of connections to this process itself.

/// A push to an emulator in this process: the diagnosis of the way there, and how many the emulator
/// accepted.
struct LoopbackPush {
  var plan: DiagnosisPlan
  var report: DiagnosisReport
  var accepted: Int

  var sight: PlatformSight {
    if let broken = report.findings.first(where: { $0.verdict == .broken }) {
      let sentence = broken.text(plan)?.sentence ?? ""
      return .broken(
        "\(broken.step.name): \(sentence)", fix: Self.fix(for: broken),
        ["step": .text(broken.step.rawValue)])
    }
    guard accepted == 1 else {
      return .broken(
        "The emulator in this process accepted \(accepted) pushes, not one.", fix: Self.libraries)
    }
    guard case .handshake(let facts, _)? = evidence(.tls) else { return .ok(Self.sentence) }
    return .ok(
      "\(Self.sentence) \(facts.tlsVersion), \(facts.cipher).",
      ["version": .text(facts.tlsVersion), "cipher": .text(facts.cipher)])
  }

  private func evidence(_ step: DiagnosisStep) -> DiagnosisEvidence? {
    report.findings.first { $0.step == step }?.evidence
  }

  private static func fix(for broken: DiagnosisFinding) -> String {
    if broken.evidence?.ranOutOfTime ?? false { return StepText.timeFix }
    return broken.step.number <= DiagnosisStep.proxy.number ? loopback : libraries
  }

  private static let sentence = "Signed with ES256, sent to this process and accepted."
  private static let loopback =
    "Let programs listen on and connect to 127.0.0.1, with ports that the system chooses."
  private static let libraries =
    "Install other versions of libcurl, OpenSSL or nghttp2, and report these."
}

extension StepText {
  /// What to do if a connection to this process takes too long.
  fileprivate static let timeFix =
    "Give a longer --timeout, such as 10s. If that is not enough, look for what slows this machine "
    + "down or drops packets to 127.0.0.1."
}

extension DiagnosisEvidence {
  /// Whether nothing is wrong but the time that it took.
  fileprivate var ranOutOfTime: Bool {
    switch self {
    case .lookUpTimedOut, .conversation(.timedOut): true
    case .dialFailed(let error): error.layer == .timeout
    case .families(let reaches): reaches.contains { $0.outcome == .silent }
    case .ports(let reaches): reaches.contains { $0.outcome == .silent }
    default: false
    }
  }
}

/// A server whose certificate must not be accepted, and what came of connecting to it.
struct BadCertificate {
  let fault: DialError.CertificateFault
  /// Nil when the connection was opened.
  var error: DialError?

  /// Nil when it was refused for what is wrong with it.
  var problem: String? {
    guard let error else { return "\(name) was accepted." }
    if error.layer == .certificate(fault) { return nil }
    if isLate { return "\(name) was not refused in time: \(error.sentence)" }
    return "\(name) was refused for another reason: \(error.sentence)"
  }

  /// Whether nothing was learned, as time ran out.
  var isLate: Bool { error?.layer == .timeout }

  private var name: String {
    switch fault {
    case .untrusted: "A certificate of an unknown authority"
    case .expired: "An expired certificate"
    case .notYetValid: "A certificate that is not valid yet"
    case .wrongName: "A certificate for another name"
    case .other: "A bad certificate"
    }
  }
}

extension [BadCertificate] {
  var sight: PlatformSight {
    if let accepted = first(where: { $0.error == nil }), let problem = accepted.problem {
      return .broken(
        problem,
        fix: "Do not send with this build: connections can be intercepted. Build it with "
          + "another libcurl, and report this one.")
    }
    if let other = first(where: { $0.problem != nil && !$0.isLate }), let problem = other.problem {
      return .broken(
        problem,
        fix: "Connections are safe, but errors mislead. Update fanfare, and report this "
          + "version of libcurl.")
    }
    if let problem = compactMap(\.problem).first {
      return .broken(problem, fix: StepText.timeFix)
    }
    return .ok("Refused: an unknown authority, another name, expired, not valid yet.")
  }
}

/// What a proxy was asked for, and what came of its refusal.
struct ProxyTrial {
  /// The first line that it read; nil when no client connected.
  var request: String?
  /// Nil when a connection was opened.
  var error: DialError?

  var sight: PlatformSight {
    let evidence: JSON = ["request": .text(request)]
    if error?.layer == .proxy, request?.hasPrefix("CONNECT ") == true {
      return .ok("libcurl asks HTTP proxies for tunnels.", evidence)
    }
    let why = error.map { " \($0.sentence)" } ?? ""
    if error?.layer == .timeout {
      return .broken(
        "No proxy was asked for a tunnel in time.\(why)", fix: StepText.timeFix, evidence)
    }
    return .broken(
      "libcurl did not ask a proxy for a tunnel.\(why)",
      fix: "Install a libcurl that was built with proxies; without a proxy this build works.",
      evidence)
  }
}
