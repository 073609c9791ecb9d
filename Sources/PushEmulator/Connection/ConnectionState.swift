internal import APNS

/// The credential of a request.
enum Credential {
  /// None.
  case missing
  /// An `authorization` header without a provider token.
  case empty
  /// An `authorization` header with an invalid provider token.
  case malformed(TokenFault)
  /// A provider token.
  case token(ReceivedToken)
  /// The certificate the client presented in the TLS handshake; APNs then ignores the
  /// `authorization` header.
  case certificate
  /// A certificate that APNs would refuse.
  case badCertificate(ClientCertificateFault)
}

/// A connection's memory of its provider tokens (Apple: Establishing a token-based connection to
/// APNs). It does no I/O; the time is passed in.
struct ConnectionState {
  /// The time limits for provider tokens, in seconds.
  struct Times: Sendable, Hashable {
    /// The age at which a token expires.
    var lifetime = 3600
    /// The time by which a token may be ahead of the emulator's clock.
    var tolerance = 60
    /// The minimum interval between the issue times of two tokens on one connection.
    var updateInterval = 1200
  }

  private let times: Times
  private let raisedLimit: Int?
  private let environment: EmulatorEnvironment
  private var current: ReceivedToken?

  /// Creates the state of a new connection.
  ///
  /// - Parameters:
  ///   - times: The time limits for provider tokens.
  ///   - raisedLimit: The stream limit to announce after the first valid token; nil announces none.
  ///   - environment: The environment keys must be valid in.
  init(
    times: Times = Times(), raisedLimit: Int? = 1000, environment: EmulatorEnvironment = .sandbox
  ) {
    self.times = times
    self.raisedLimit = raisedLimit
    self.environment = environment
  }

  /// Decides on a request's credential.
  ///
  /// - Returns: The stream limit to announce before the answer; nil leaves it unchanged.
  mutating func admit(_ credential: Credential, at now: Double) throws(APNSRefusal) -> Int? {
    switch credential {
    case .certificate: return nil
    case .badCertificate(let fault): throw APNSRefusal(reason: fault.reason, note: fault.rawValue)
    case .missing: throw APNSRefusal(reason: .missingProviderToken)
    case .empty:
      throw APNSRefusal(
        reason: .missingProviderToken, note: "authorization holds no provider token",
        fix: "Write it after 'bearer '. Perhaps a variable was empty.")
    case .malformed(let fault):
      throw APNSRefusal(reason: .invalidProviderToken, note: fault.rawValue, fix: fault.fix)
    case .token(let token): return try admit(token, at: now)
    }
  }

  private mutating func admit(_ token: ReceivedToken, at now: Double) throws(APNSRefusal) -> Int? {
    let age = now - Double(token.issuedAt)
    if age < -Double(times.tolerance) {
      throw APNSRefusal(
        reason: .invalidProviderToken, note: "iat is \(seconds(-age)) in the future",
        fix: "Give iat in seconds since 1970, not in milliseconds, by a clock that is right.")
    }
    if age > Double(times.lifetime) {
      throw APNSRefusal(
        reason: .expiredProviderToken, note: "iat is \(seconds(age)) ago",
        fix: "Sign a new token every 20 to 60 minutes. If this one is new, set the clock.")
    }
    guard token.environments.contains(environment) else {
      throw APNSRefusal(
        reason: .badEnvironmentKey, note: "the key is not for the \(environment) environment")
    }
    guard let current else {
      self.current = token
      return raisedLimit
    }
    if current != token { try replace(current, by: token) }
    return nil
  }

  private mutating func replace(
    _ current: ReceivedToken, by token: ReceivedToken
  ) throws(APNSRefusal) {
    if token.teamID != current.teamID {
      throw APNSRefusal(
        reason: .invalidProviderToken, note: "the connection started with another team")
    }
    if token.keyID != current.keyID {
      throw APNSRefusal(reason: .unrelatedKeyID, note: "the connection started with another key")
    }
    if token.issuedAt - current.issuedAt < times.updateInterval {
      throw APNSRefusal(
        reason: .tooManyProviderTokenUpdates,
        note: "issued \(token.issuedAt - current.issuedAt) s after the previous one")
    }
    self.current = token
  }
}

/// Formats whole seconds with their unit. The client chooses `iat`, so it may be any 64-bit number,
/// and its age even larger.
private func seconds(_ time: Double) -> String {
  "\(Int(exactly: time.rounded(.down)) ?? .max) s"
}

/// The way a client authenticates, decided once in the TLS handshake.
enum ClientAuthentication: Sendable, Hashable {
  /// A provider token in each request.
  case providerToken
  /// A certificate that APNs would accept.
  case certificate(PresentedCertificate)
  /// A certificate that APNs would refuse, with its common name if readable.
  case badCertificate(ClientCertificateFault, commonName: String?)

  /// Judges the client's certificate, if any.
  ///
  /// - Parameters:
  ///   - certificate: the client's certificate in DER; nil if it presented none.
  ///   - configuration: the source of clock and environment.
  init(_ certificate: [UInt8]?, _ configuration: EmulatorConfiguration) {
    guard let certificate else {
      self = .providerToken
      return
    }
    do throws(ClientCertificateFault) {
      let certificate = try PresentedCertificate(der: certificate)
      let fault = certificate.fault(
        at: configuration.time, in: configuration.environment,
        refusing: configuration.refusedCertificates)
      self =
        fault.map { .badCertificate($0, commonName: certificate.commonName) }
        ?? .certificate(certificate)
    } catch {
      self = .badCertificate(error, commonName: nil)
    }
  }

  /// The kind of credentials, in the terms of the rules.
  var method: Authentication { self == .providerToken ? .token : .certificate }

  /// The topics that may be pushed to; nil if no certificate limits them.
  var topics: [String]? {
    if case .certificate(let certificate) = self { certificate.topics } else { nil }
  }

  /// The certificate's name in the journal: its common name, empty if it has none; nil without a
  /// certificate.
  var certificateName: String? {
    switch self {
    case .providerToken: nil
    case .certificate(let certificate): certificate.commonName ?? ""
    case .badCertificate(_, let name): name ?? ""
    }
  }
}
