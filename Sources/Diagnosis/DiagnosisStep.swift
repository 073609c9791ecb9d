/// One layer between here and APNs, in the order in which they are proven.
public enum DiagnosisStep: String, Sendable, Hashable, CaseIterable {
  /// The key parses and signs, or the certificate fits.
  case credentials
  /// Key id and team id.
  case identifiers
  /// This machine's clock, by itself.
  case clock
  /// The host's addresses.
  case dns
  /// Which of IPv4 and IPv6 get an answer.
  case addressFamilies
  /// The port, and the other one that APNs listens on.
  case tcp
  /// The proxy, if one is used, and its answer to CONNECT.
  case proxy
  /// The handshake, and who vouches for the server.
  case tls
  /// HTTP/2 was chosen (RFC 7301).
  case alpn
  /// The server's SETTINGS frame.
  case settings
  /// The answer to a push to a false device token, or to a request for the app's channels.
  case push
  /// This machine's clock against the answer's `date`.
  case serverClock

  /// Its place in the order, from 1.
  public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}

/// A part of this build that is tested without the network, in the order of the tests.
public enum SelfTestStep: String, Sendable, Hashable, CaseIterable {
  /// The libcurl in use, and its TLS library.
  case libcurl
  /// The OpenSSL in use, which has to be that of libcurl.
  case openSSL
  /// The nghttp2 in use.
  case nghttp2
  /// The SQLite in use.
  case sqlite
  /// A push to a server in this process.
  case push
  /// The refusal of bad certificates.
  case certificates

  /// Its place in the order, from 1.
  public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}

/// What became of a step.
public enum DiagnosisVerdict: String, Sendable, Hashable {
  /// It is proven.
  case ok
  /// It works, or is not needed; a person should know something all the same.
  case warning
  /// It is what has to be repaired first.
  case broken
  /// It could not be looked at, or there is nothing to look at.
  case skipped
  /// An earlier step is broken.
  case notReached

  /// `broken` if one is, else `warning` if one is, else `ok`.
  public static func worst(of verdicts: [DiagnosisVerdict]) -> DiagnosisVerdict {
    [.broken, .warning].first(where: verdicts.contains) ?? .ok
  }
}

/// What was found at one step.
public struct DiagnosisFinding: Sendable {
  /// The step.
  public let step: DiagnosisStep
  /// What became of it.
  public let verdict: DiagnosisVerdict
  /// What was seen; nil when the step was not reached.
  public let evidence: DiagnosisEvidence?

  /// A finding.
  public init(
    _ step: DiagnosisStep, _ verdict: DiagnosisVerdict, _ evidence: DiagnosisEvidence? = nil
  ) {
    (self.step, self.verdict, self.evidence) = (step, verdict, evidence)
  }
}

/// What was found at all steps.
public struct DiagnosisReport: Sendable {
  /// A finding for each step, in order.
  public let findings: [DiagnosisFinding]

  /// The findings of all steps.
  public init(_ findings: [DiagnosisFinding]) { self.findings = findings }

  /// The worst of a step; `ok` of those that prove nothing.
  public var verdict: DiagnosisVerdict { .worst(of: findings.map(\.verdict)) }
}
