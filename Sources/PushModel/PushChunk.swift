public import APNS

/// A few hundred recipients in the form that crosses threads: columns instead of objects, so that a
/// recipient costs neither an allocation nor a lock.
public final class PushChunk: Sendable {
  /// The most recipients in a chunk.
  public static let capacity = 256

  /// The number of the first push; the others follow. The first push of a run has number 1.
  public let firstSequence: UInt64

  /// The list that the recipients came from, as the user named it.
  public let list: String

  /// The broadcast channel that they go to in place of device tokens, which are empty then; nil for
  /// recipients with a device token each.
  public let channel: String?

  /// The claim under which a worker sends them; nil for a run that one process sends.
  public let claim: ChunkClaim?

  private let columns: Columns

  package init(
    firstSequence: UInt64, list: String, channel: String? = nil, claim: ChunkClaim? = nil,
    _ columns: Columns
  ) {
    self.firstSequence = firstSequence
    self.list = list
    self.channel = channel
    self.claim = claim
    self.columns = columns
  }

  /// How many recipients there are.
  public var count: Int { columns.tokenEnds.count }

  /// The number of the last push.
  package var lastSequence: UInt64 { firstSequence + UInt64(count) - 1 }

  /// The pushes to the recipients, in order.
  public var pushes: some Sequence<Push> { (0..<count).lazy.map { self.push(at: $0) } }

  /// The push to a recipient.
  public func push(at index: Int) -> Push { Push(chunk: self, index: index) }

  /// The line of a recipient in its list, from 1.
  public func line(at index: Int) -> Int { columns.lines[index] }

  /// The digits of a recipient's device token, in place; none for a channel.
  public func withToken<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try columns.tokens.withPart(index, endingAt: columns.tokenEnds, body)
  }

  /// Whether the recipients have payloads of their own; without, all get the notification's.
  public var hasPayloads: Bool { !columns.payloadEnds.isEmpty }

  /// A recipient's own payload, in place, empty where ``problems(at:)`` says why; nil when the
  /// recipients have none of their own.
  public func withPayload<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    guard hasPayloads else { return nil }
    return try columns.payloads.withPart(index, endingAt: columns.payloadEnds, body)
  }

  /// Lends what a recipient's row has in one of the columns that are to be told with its result, by
  /// the place of the column among them; nil when there are no such columns.
  public func withListed<Result>(
    _ column: Int, at index: Int,
    _ body: (TemplateValues.Kind, UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    guard column < columns.listedCount else { return nil }
    return try columns.listed.withValue(at: index * columns.listedCount + column, body)
  }

  /// Whether any recipient is to be skipped, as ``problems(at:)`` tells.
  public var hasProblems: Bool { !columns.problems.isEmpty }

  /// What to do about a recipient when a run is resumed; `send` in any other run.
  package func step(at index: Int) -> ResumeStep {
    columns.steps.isEmpty ? .send : columns.steps[index]
  }

  /// Whether every recipient is sent to.
  package var isWhole: Bool { columns.steps.isEmpty && columns.problems.isEmpty }

  /// What becomes of a push that is not sent; nil when it is sent, or left as it is.
  package func outcomeUnsent(at index: Int) -> Outcome? {
    switch step(at: index) {
    case .leave: nil
    case .recordUnknown: .unknown
    case .recordExpired: .skipped
    case .send, .sendInDoubt: columns.problems[index] == nil ? nil : .skipped
    }
  }

  /// Whether a recipient is sent to.
  package func isSent(at index: Int) -> Bool {
    if isWhole { return true }
    let step = step(at: index)
    return (step == .send || step == .sendInDoubt) && columns.problems[index] == nil
  }

  /// What earlier passes of a run that is resumed came to; nil when none came to the recipient.
  package func earlierOutcome(at index: Int) -> Outcome? {
    columns.standings.isEmpty ? nil : columns.standings[index].outcome
  }

  /// The same recipients, with what to do about each, and the standing of each.
  package func taking(_ steps: [ResumeStep], from standings: [Standing]) -> PushChunk {
    var columns = columns
    columns.steps = steps
    columns.standings = standings
    return PushChunk(
      firstSequence: firstSequence, list: list, channel: channel, claim: claim, columns)
  }

  /// Why no payload could be made for a recipient, who is to be skipped; nil when one could.
  public func problems(at index: Int) -> BrokenRules? { columns.problems[index] }

  /// When the app registered its device token as the list says it, in seconds since 1970; nil when
  /// it does not say. A 410 with an earlier time does not mean this registration.
  public func registered(at index: Int) -> Int64? {
    guard index < columns.registered.count else { return nil }
    let seconds = columns.registered[index]
    return seconds == Columns.unknownTime ? nil : seconds
  }
}

extension PushChunk {
  /// What a chunk holds of each recipient. Columns that no recipient needs are empty.
  package struct Columns: Sendable {
    static let unknownTime = Int64.min

    package var lines: [Int] = []
    package var tokens: [UInt8] = []
    package var tokenEnds: [Int] = []
    var payloads: [UInt8] = []
    var payloadEnds: [Int] = []
    /// How many values of each row are told with its result.
    var listedCount = 0
    var listed = TemplateValues()
    package var problems: [Int: BrokenRules] = [:]
    var steps: [ResumeStep] = []
    var standings: [Standing] = []
    /// Up to the last recipient whose time is known.
    private(set) var registered: [Int64] = []

    package init() {}

    /// Empty ones with room for what those hold.
    init(like others: Columns) {
      lines.reserveCapacity(PushChunk.capacity)
      tokenEnds.reserveCapacity(PushChunk.capacity)
      tokens.reserveCapacity(PushChunk.capacity * 64)
      payloads.reserveCapacity(others.payloads.count)
      payloadEnds.reserveCapacity(others.payloadEnds.count)
    }

    /// Sets the time of the recipient that is added next.
    mutating func setRegistered(_ seconds: Int64) {
      let unknown = lines.count - registered.count
      registered.append(contentsOf: repeatElement(Self.unknownTime, count: unknown))
      registered.append(seconds)
    }
  }
}

extension [UInt8] {
  /// Lends the part with this number; each begins where the one before it ends.
  fileprivate func withPart<Result>(
    _ index: Int, endingAt ends: [Int], _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = index == 0 ? 0 : ends[index - 1]
    return try withUnsafeBufferPointer { all in
      try body(UnsafeBufferPointer(rebasing: all[start..<ends[index]]))
    }
  }
}

/// One push: a place in a chunk.
public struct Push: Sendable {
  /// The chunk.
  public let chunk: PushChunk

  /// The place in it.
  public let index: Int

  /// The number of this push in its run, from 1.
  public var sequence: UInt64 { chunk.firstSequence + UInt64(index) }

  /// The broadcast channel that it goes to; nil when it goes to a device.
  public var channel: String? { chunk.channel }

  /// The digits of the device token; empty for a channel.
  public var token: String { chunk.withToken(at: index) { String(decoding: $0, as: UTF8.self) } }

  /// The line of the recipient in its list, from 1.
  public var line: Int { chunk.line(at: index) }
}
