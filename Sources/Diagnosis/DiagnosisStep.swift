/// One layer between this machine and APNs, in the order of testing.
public enum DiagnosisStep: String, Sendable, Hashable, CaseIterable {
  /// The key parses and signs, or the certificate is suitable.
  case credentials
  /// Key ID and team ID.
  case identifiers
  /// This machine's clock, on its own.
  case clock
  /// The host's addresses.
  case dns
  /// The address families, IPv4 and IPv6, that get an answer.
  case addressFamilies
  /// The port in use, and the other one APNs listens on.
  case tcp
  /// The proxy, if one is used, and its answer to CONNECT.
  case proxy
  /// The TLS handshake and the server's chain.
  case tls
  /// HTTP/2 was negotiated (RFC 7301).
  case alpn
  /// The server's SETTINGS frame.
  case settings
  /// The answer to a push to a fake device token, or to a request for the app's channels.
  case push
  /// This machine's clock compared with the answer's `date`.
  case serverClock

  /// The position in the order, starting at 1.
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

/// The result of a step.
public enum DiagnosisVerdict: String, Sendable, Hashable {
  /// It works.
  case ok
  /// It works or is not needed, but something is worth knowing.
  case warning
  /// It fails, and has to be repaired first.
  case broken
  /// It could not be checked, or there is nothing to check.
  case skipped
  /// An earlier step is broken.
  case notReached

  /// `broken` if one is, else `warning` if one is, else `ok`.
  public static func worst(of verdicts: [DiagnosisVerdict]) -> DiagnosisVerdict {
    [.broken, .warning].first(where: verdicts.contains) ?? .ok
  }
}

/// The result of one step with its evidence.
public struct DiagnosisFinding: Sendable {
  /// The step.
  public let step: DiagnosisStep
  /// The verdict.
  public let verdict: DiagnosisVerdict
  /// The evidence; nil if the step was not reached.
  public let evidence: DiagnosisEvidence?

  /// Creates a finding.
  public init(
    _ step: DiagnosisStep, _ verdict: DiagnosisVerdict, _ evidence: DiagnosisEvidence? = nil
  ) {
    (self.step, self.verdict, self.evidence) = (step, verdict, evidence)
  }
}

/// The findings of a whole diagnosis.
public struct DiagnosisReport: Sendable {
  /// A finding for each step, in order.
  public let findings: [DiagnosisFinding]

  /// Creates a report.
  public init(_ findings: [DiagnosisFinding]) { self.findings = findings }

  /// The worst of a step; `ok` of those that prove nothing.
  public var verdict: DiagnosisVerdict { .worst(of: findings.map(\.verdict)) }
}
