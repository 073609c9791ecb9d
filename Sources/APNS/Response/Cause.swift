/// One thing that may have brought a reason about: a row of ``Reason/causes``.
public struct Cause: Sendable, Hashable {
  /// What a request may show that speaks for a cause.
  public enum Clue: Sendable, Hashable {
    /// It went to this service.
    case service(RequestFacts.Service)
    /// It was a push to a channel.
    case broadcast
    /// It is of this push type.
    case pushType(PushType)
    /// The device tokens of its push type are others than the app's.
    case ownToken
    /// Its device token has as many digits as those of simulators and Live Activities.
    case longToken
    /// Its topic has a suffix that belongs to another push type, or lacks its own.
    case foreignSuffix
    /// Its provider token was made less than an hour ago by this machine's clock.
    case freshProviderToken
    /// It was made longer ago.
    case oldProviderToken
  }

  /// What happened, in one sentence.
  public let text: String
  /// What to do, in one sentence.
  public let fix: String
  /// What a request may show that speaks for it; nil when nothing can.
  public let clue: Clue?

  init(_ text: String, fix: String, clue: Clue? = nil) {
    self.text = text
    self.fix = fix
    self.clue = clue
  }
}

/// What a refused request shows of itself, for ranking causes.
public struct RequestFacts: Sendable, Hashable {
  /// Who was asked.
  public enum Service: String, Sendable, Hashable, CaseIterable {
    /// Apple's production service.
    case production
    /// Apple's sandbox.
    case sandbox
    /// An emulator or a server of one's own.
    case other
  }

  /// The digits of a token that a simulator or a Live Activity has; others mostly have 64.
  static let longTokenDigits = 160

  /// For how many seconds APNs takes a provider token.
  static let tokenLifetime: Int64 = 3600

  /// Who was asked.
  public var service: Service
  /// Whether it was a push to a channel.
  public var isBroadcast: Bool
  /// The push type; nil when it is not known.
  public var pushType: PushType?
  /// The topic as it was sent; nil when it is not known.
  public var topic: String?
  /// How many digits the device token has.
  public var tokenDigits: Int
  /// How old the provider token was, in seconds; nil when there was none.
  public var providerTokenAge: Int64?

  /// What a request shows.
  public init(
    service: Service, isBroadcast: Bool = false, pushType: PushType? = nil, topic: String? = nil,
    tokenDigits: Int = 64, providerTokenAge: Int64? = nil
  ) {
    self.service = service
    self.isBroadcast = isBroadcast
    self.pushType = pushType
    self.topic = topic
    self.tokenDigits = tokenDigits
    self.providerTokenAge = providerTokenAge
  }

  /// Whether the request shows what a clue names.
  public func shows(_ clue: Cause.Clue) -> Bool {
    switch clue {
    case .service(let service): self.service == service
    case .broadcast: isBroadcast
    case .pushType(let type): pushType == type
    case .ownToken: pushType?.info?.hasOwnToken ?? false
    case .longToken: tokenDigits == Self.longTokenDigits
    case .foreignSuffix: hasForeignSuffix
    case .freshProviderToken: providerTokenAge.map { $0 < Self.tokenLifetime } ?? false
    case .oldProviderToken: providerTokenAge.map { $0 >= Self.tokenLifetime } ?? false
    }
  }

  /// A push to a channel has a bundle ID, which has no suffix, in place of a topic.
  private var hasForeignSuffix: Bool {
    guard !isBroadcast, let topic, let info = pushType?.info else { return false }
    let worn = PushType.table.map(\.suffix).filter { !$0.isEmpty && topic.hasSuffix($0) }
    return info.suffix.isEmpty ? !worn.isEmpty : !topic.hasSuffix(info.suffix)
  }
}

extension Reason {
  /// What may have brought this reason about, the likeliest first; its advice alone where only one
  /// thing can. Empty for a reason that this tool does not know.
  public var causes: [Cause] {
    if let causes = Self.causeTable[self] { return causes }
    return info.map { [Cause($0.meaning, fix: $0.advice)] } ?? []
  }

  /// The causes in the order that a request makes likely: those it speaks for, then those it says
  /// nothing about, then those whose clue it does not show.
  public func causes(of request: RequestFacts) -> [Cause] {
    let ranked = causes.enumerated().map { index, cause in
      (rank: cause.clue.map { request.shows($0) ? 0 : 2 } ?? 1, index: index, cause: cause)
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.cause)
  }
}
