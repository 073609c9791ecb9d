/// A possible cause of a reason: a row of ``Reason/causes``.
public struct Cause: Sendable, Hashable {
  /// Evidence in a request for a cause.
  public enum Clue: Sendable, Hashable {
    /// It was sent to this service.
    case service(RequestFacts.Service)
    /// It was a push to a channel.
    case broadcast
    /// It has this push type.
    case pushType(PushType)
    /// Its push type has a device token separate from the app's.
    case ownToken
    /// Its device token has as many digits as those of simulators and Live Activities.
    case longToken
    /// Its device token is shorter than any of Apple's.
    case shortToken
    /// Its topic has the suffix of a different push type, or lacks its own.
    case foreignSuffix
    /// It was sent with a provider token.
    case providerToken
    /// Its provider token was created less than an hour ago by this machine's clock.
    case freshProviderToken
    /// Its provider token was created an hour ago or earlier.
    case oldProviderToken
    /// This machine's clock is so far ahead of the server's that a new provider token is from the
    /// future.
    case clockAhead
  }

  /// The cause, in one sentence.
  public let text: String
  /// The fix, in one sentence.
  public let fix: String
  /// The fix without words of the command line, for a library; nil if it has no such word.
  private let plain: String?
  /// The evidence for it in a request; nil if there can be none.
  public let clue: Clue?

  init(_ text: String, fix: String, plainly plain: String? = nil, clue: Clue? = nil) {
    self.text = text
    self.fix = fix
    self.plain = plain
    self.clue = clue
  }

  /// The fix without words of the command line.
  package var plainFix: String { plain ?? fix }
}

/// The facts of a rejected request, for ranking causes.
public struct RequestFacts: Sendable, Hashable {
  /// The service that answered.
  public enum Service: String, Sendable, Hashable, CaseIterable {
    /// Apple's production service.
    case production
    /// Apple's sandbox.
    case sandbox
    /// Both of Apple's, one after the other.
    case both
    /// An emulator or any other server.
    case other
  }

  /// The number of seconds for which APNs accepts a provider token.
  static let tokenLifetime: Int64 = 3600

  /// The service that answered.
  public var service: Service
  /// True for a push to a channel.
  public var isBroadcast: Bool
  /// The push type; nil if unknown.
  public var pushType: PushType?
  /// The topic as sent; nil if unknown.
  public var topic: String?
  /// The number of digits in the device token; 0 if unknown.
  public var tokenDigits: Int
  /// The age of the provider token, in seconds; nil if there was none.
  public var providerTokenAge: Int64?
  /// Both clocks at the time of the answer; nil if unknown.
  public var clocks: Clocks?

  /// Creates the facts of a request.
  public init(
    service: Service, isBroadcast: Bool = false, pushType: PushType? = nil, topic: String? = nil,
    tokenDigits: Int = 64, providerTokenAge: Int64? = nil, clocks: Clocks? = nil
  ) {
    self.service = service
    self.isBroadcast = isBroadcast
    self.pushType = pushType
    self.topic = topic
    self.tokenDigits = tokenDigits
    self.providerTokenAge = providerTokenAge
    self.clocks = clocks
  }

  /// Returns true if the request shows the clue.
  public func shows(_ clue: Cause.Clue) -> Bool {
    switch clue {
    case .service(let service): self.service == service
    case .broadcast: isBroadcast
    case .pushType(let type): pushType == type
    case .ownToken: pushType?.info?.hasOwnToken ?? false
    case .longToken: tokenDigits == DeviceToken.longDigits
    case .shortToken: 1..<DeviceToken.usualDigits ~= tokenDigits
    case .foreignSuffix: hasForeignSuffix
    case .providerToken: providerTokenAge != nil
    case .freshProviderToken: providerTokenAge.map { $0 < Self.tokenLifetime } ?? false
    case .oldProviderToken: providerTokenAge.map { $0 >= Self.tokenLifetime } ?? false
    case .clockAhead: clocks?.isAhead ?? false
    }
  }

  /// True for the wrong suffix. A push to a channel has no topic but a bundle ID, without a suffix.
  private var hasForeignSuffix: Bool {
    guard !isBroadcast, let topic, let info = pushType?.info else { return false }
    let worn = PushType.table.map(\.suffix).filter { !$0.isEmpty && topic.hasSuffix($0) }
    return info.suffix.isEmpty ? !worn.isEmpty : !topic.hasSuffix(info.suffix)
  }
}

extension Reason {
  /// The possible causes of this reason, most likely first. If there is only one, it comes from the
  /// reason's advice. Empty for an unknown reason.
  public var causes: [Cause] {
    if let causes = Self.causeTable[self] { return causes }
    return info.map { [Cause($0.meaning, fix: $0.advice)] } ?? []
  }

  /// Ranks the causes for a request: a device token that is not whole, then others with evidence,
  /// then those without a clue, then those whose clue is absent; otherwise in the order of
  /// ``causes``.
  public func causes(of request: RequestFacts) -> [Cause] {
    let ranked = causes.enumerated().map { index, cause in
      (rank: request.rank(of: cause), index: index, cause: cause)
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.cause)
  }
}

extension RequestFacts {
  fileprivate func rank(of cause: Cause) -> Int {
    guard let clue = cause.clue else { return 2 }
    return !shows(clue) ? 3 : clue == .shortToken ? 0 : 1
  }
}
