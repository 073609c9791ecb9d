public import APNS

/// A few hundred recipients in a form that crosses threads: columns instead of objects, so that a
/// recipient costs neither an allocation nor a lock.
public final class PushChunk: Sendable {
  /// The most recipients in a chunk.
  public static let capacity = 256

  /// The number of the first push; the others follow. The first push of a run has number 1.
  public let firstSequence: UInt64

  /// The list that the recipients came from, as the user named it.
  public let list: String

  /// The broadcast channel to send to, with empty device tokens; nil when each recipient has a
  /// device token.
  public let channel: String?

  /// The claim under which a worker sends them; nil for a run that one process sends.
  public let claim: ChunkClaim?

  /// The notification for these recipients; nil for that of the run.
  package let message: PushMessage?

  /// The sender, asked before each attempt; nil when all pushes stay wanted.
  package let sender: (any PushSender)?

  private let columns: Columns

  package init(
    firstSequence: UInt64, list: String, channel: String? = nil, claim: ChunkClaim? = nil,
    message: PushMessage? = nil, sender: (any PushSender)? = nil, _ columns: Columns
  ) {
    (self.message, self.sender) = (message, sender)
    self.firstSequence = firstSequence
    self.list = list
    self.channel = channel
    self.claim = claim
    self.columns = columns
  }

  /// The number of recipients.
  public var count: Int { columns.tokenEnds.count }

  /// The number of the last push.
  package var lastSequence: UInt64 { firstSequence + UInt64(count) - 1 }

  /// The pushes to the recipients, in order.
  public var pushes: some Sequence<Push> { (0..<count).lazy.map { self.push(at: $0) } }

  /// The push to a recipient.
  public func push(at index: Int) -> Push { Push(chunk: self, index: index) }

  /// The number of a push in its run, from 1.
  package func sequence(at index: Int) -> UInt64 { firstSequence + UInt64(index) }

  /// The line of a recipient in its list, from 1.
  public func line(at index: Int) -> Int { columns.lines[index] }

  /// Lends the digits of a recipient's device token, in place; none for a channel.
  public func withToken<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try columns.tokens.withPart(index, endingAt: columns.tokenEnds, body)
  }

  /// The recipients have their own payloads; otherwise all get the notification's.
  public var hasPayloads: Bool { !columns.payloadEnds.isEmpty }

  /// Lends a recipient's own payload, in place, empty if it has ``problems(at:)``; nil when the
  /// recipients have no payloads of their own.
  public func withPayload<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    guard hasPayloads else { return nil }
    return try columns.payloads.withPart(index, endingAt: columns.payloadEnds, body)
  }

  /// Lends a recipient's value in one of the columns shown with its result, by the column's index
  /// among them; nil when there are no such columns.
  public func withListed<Result>(
    _ column: Int, at index: Int,
    _ body: (TemplateValues.Kind, UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    guard column < columns.listedCount else { return nil }
    return try columns.listed.withValue(at: index * columns.listedCount + column, body)
  }

  /// Some recipients are to be skipped, as ``problems(at:)`` tells.
  public var hasProblems: Bool { !columns.problems.isEmpty }

  /// The step for a recipient in a resumed run; `send` in any other run.
  package func step(at index: Int) -> ResumeStep {
    columns.steps.isEmpty ? .send : columns.steps[index]
  }

  /// All recipients are sent to.
  package var isWhole: Bool { columns.steps.isEmpty && columns.problems.isEmpty }

  /// The result of a push that is not sent; nil when it is sent, or left as it is.
  package func resultUnsent(at index: Int) -> PushResult? {
    let push = push(at: index)
    return switch step(at: index) {
    case .leave: nil
    case .recordUnknown: PushResult(unsent: push, .unknown)
    case .recordExpired: PushResult(unsent: push, .skipped)
    case .recordAnswer: columns.standings[index].answer?.result(of: push)
    case .send, .sendInDoubt:
      columns.problems[index] == nil ? nil : PushResult(unsent: push, .skipped)
    }
  }

  /// Checks whether the recipient is sent to.
  package func isSent(at index: Int) -> Bool {
    if isWhole { return true }
    let step = step(at: index)
    return (step == .send || step == .sendInDoubt) && columns.problems[index] == nil
  }

  /// The outcome from earlier passes of a resumed run; nil when none reached the recipient.
  package func earlierOutcome(at index: Int) -> Outcome? {
    columns.standings.isEmpty ? nil : columns.standings[index].outcome
  }

  /// Returns the same recipients, of whom only those from an index on are left to be sent to.
  package func rest(from index: Int) -> PushChunk {
    let steps = (0..<count).map { $0 >= index && isSent(at: $0) ? step(at: $0) : .leave }
    return taking(steps, from: columns.standings)
  }

  /// Returns the same recipients with the step and the standing of each.
  package func taking(_ steps: [ResumeStep], from standings: [PushState]) -> PushChunk {
    var columns = columns
    columns.steps = steps
    columns.standings = standings
    return PushChunk(
      firstSequence: firstSequence, list: list, channel: channel, claim: claim, message: message,
      sender: sender, columns)
  }

  /// The reason a recipient's payload cannot be rendered, so that it is skipped; nil if it can.
  public func problems(at index: Int) -> BrokenRules? { columns.problems[index] }

  /// Some recipients have a registration time.
  package var hasRegistrations: Bool { !columns.registered.isEmpty }

  /// The registration time of the device token according to the list, in seconds since 1970; nil
  /// when not given. A 410 with an earlier time is not about this registration.
  public func registered(at index: Int) -> Int64? {
    guard index < columns.registered.count else { return nil }
    let seconds = columns.registered[index]
    return seconds == Columns.unknownTime ? nil : seconds
  }
}

extension PushChunk {
  /// The data of a chunk's recipients. Columns that no recipient needs are empty.
  package struct Columns: Sendable {
    static let unknownTime = Int64.min

    package var lines: [Int] = []
    package var tokens: [UInt8] = []
    package var tokenEnds: [Int] = []
    package var payloads: [UInt8] = []
    package var payloadEnds: [Int] = []
    /// The number of each row's values that are shown with its result.
    var listedCount = 0
    var listed = TemplateValues()
    package var problems: [Int: BrokenRules] = [:]
    var steps: [ResumeStep] = []
    var standings: [PushState] = []
    /// The registration times, up to the last recipient with a known one.
    private(set) var registered: [Int64] = []

    package init() {}

    /// Creates empty columns with capacity for as much as the others hold.
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
  /// Lends the part at this index; each part begins where the previous one ends.
  fileprivate func withPart<Result>(
    _ index: Int, endingAt ends: [Int], _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = index == 0 ? 0 : ends[index - 1]
    return try withUnsafeBufferPointer { all in
      try body(UnsafeBufferPointer(rebasing: all[start..<ends[index]]))
    }
  }
}

/// One push: an index in a chunk.
public struct Push: Sendable {
  /// The chunk.
  public let chunk: PushChunk

  /// The index in the chunk.
  public let index: Int

  /// The number of this push in its run, from 1.
  public var sequence: UInt64 { chunk.sequence(at: index) }

  /// The broadcast channel to send to; nil when it goes to a device.
  public var channel: String? { chunk.channel }

  /// The digits of the device token; empty for a channel.
  public var token: String { chunk.withToken(at: index) { String(decoding: $0, as: UTF8.self) } }

  /// The line of the recipient in its list, from 1.
  public var line: Int { chunk.line(at: index) }
}
