internal import APNS

/// A push that was accepted at its first attempt, as nearly all are: numbers alone, so that passing it on
/// counts no references.
package struct AcceptedPush: BitwiseCopyable, Sendable {
  /// The index in its chunk.
  package let index: Int
  /// The time from the request to its answer.
  package let latencyMicroseconds: Int
  /// The time of the answer, in milliseconds since 1970 UTC.
  package let answeredAt: Int64

  package init(index: Int, latencyMicroseconds: Int, answeredAt: Int64) {
    self.index = index
    self.latencyMicroseconds = latencyMicroseconds
    self.answeredAt = answeredAt
  }
}

/// Results in the order in which they came. Pushes that were accepted at their first attempt are kept as
/// numbers, beside a chunk that is retained once for all of them; as elements they are whole results.
public struct PushResults: Sequence, Sendable {
  /// Results of one kind that follow one another.
  package struct Part: Sendable {
    /// The chunk of accepted pushes; nil for other results.
    package let chunk: PushChunk?
    fileprivate let start: Int
    fileprivate var end: Int

    /// The places of the results in ``accepted``, or in ``others``.
    package var places: Range<Int> { start..<end }
  }

  /// The results in order.
  package private(set) var parts: [Part] = []
  /// The pushes that were accepted at their first attempt.
  package private(set) var accepted: [AcceptedPush] = []
  /// The other results.
  package private(set) var others: [PushResult] = []
  /// The chunk of the last part, compared for each push without retaining it.
  private var lastChunk: ObjectIdentifier?

  /// Creates an empty list.
  public init() {}

  /// Creates a list of whole results.
  public init(_ results: some Sequence<PushResult>) {
    for result in results { append(result) }
  }

  /// The number of results.
  public var count: Int { accepted.count + others.count }

  /// There are no results.
  public var isEmpty: Bool { parts.isEmpty }

  /// The last result; nil when there is none.
  public var last: PushResult? { parts.last.map { result(at: $0.end - 1, of: $0) } }

  /// Makes room for so many accepted pushes.
  package mutating func reserveCapacity(_ count: Int) { accepted.reserveCapacity(count) }

  /// Adds a push that was accepted at its first attempt.
  package mutating func append(_ push: AcceptedPush, of chunk: PushChunk) {
    accepted.append(push)
    if lastChunk == ObjectIdentifier(chunk) {
      parts[parts.count - 1].end += 1
    } else {
      parts.append(Part(chunk: chunk, start: accepted.count - 1, end: accepted.count))
      lastChunk = ObjectIdentifier(chunk)
    }
  }

  /// Adds any result.
  package mutating func append(_ result: PushResult) {
    others.append(result)
    if lastChunk == nil, !parts.isEmpty {
      parts[parts.count - 1].end += 1
    } else {
      parts.append(Part(chunk: nil, start: others.count - 1, end: others.count))
      lastChunk = nil
    }
  }

  /// The whole results of a part.
  package func results(of part: Part) -> [PushResult] {
    part.places.map { result(at: $0, of: part) }
  }

  private func result(at place: Int, of part: Part) -> PushResult {
    part.chunk.map { PushResult(accepted[place], of: $0) } ?? others[place]
  }

  /// Passes whole results.
  public struct Iterator: IteratorProtocol {
    private let results: PushResults
    private var part = 0
    private var place = 0

    fileprivate init(_ results: PushResults) {
      self.results = results
      place = results.parts.first?.start ?? 0
    }

    /// Returns the next result; nil at the end.
    public mutating func next() -> PushResult? {
      guard part < results.parts.count else { return nil }
      let current = results.parts[part]
      defer {
        place += 1
        if place == current.end {
          part += 1
          place = part < results.parts.count ? results.parts[part].start : 0
        }
      }
      return results.result(at: place, of: current)
    }
  }

  /// Begins with the first result.
  public func makeIterator() -> Iterator { Iterator(self) }
}

extension PushResult {
  /// The whole result of a push that was accepted at its first attempt.
  package init(_ accepted: AcceptedPush, of chunk: PushChunk) {
    self.init(
      push: chunk.push(at: accepted.index), outcome: .accepted,
      response: Response(status: .accepted), attempts: 1, wasResentInDoubt: false,
      latencyMicroseconds: accepted.latencyMicroseconds, answeredAt: accepted.answeredAt)
  }
}
