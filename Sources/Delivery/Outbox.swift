internal import HTTP2
internal import PushModel

/// Results that a connection passes on together.
struct ResultBatch: Sendable {
  let results: PushResults
  /// The connection's notes of their answers, and the number of these; nil without notes.
  var noted: (notes: any ConnectionNotes, count: Int)?
}

/// Collects the results of a connection, notes the answers, and passes the results on in batches.
struct Outbox {
  static let batch = 256
  private static let longestWait: UInt64 = 50_000_000

  private let queue: ChunkQueue<ResultBatch>
  private let wake: Wake
  private let notes: (any ConnectionNotes)?
  private var results = PushResults()
  /// The answers that are not noted yet.
  private var answers: [AnswerNote] = []
  /// The number of answers among the results.
  private var answerCount = 0
  private var lastFlush: UInt64 = 0

  /// - Parameters:
  ///   - wake: used only to wait for room in the queue.
  ///   - notes: nil notes nothing.
  init(queue: ChunkQueue<ResultBatch>, wake: Wake, notes: (any ConnectionNotes)?) {
    self.queue = queue
    self.wake = wake
    self.notes = notes
  }

  mutating func add(_ result: PushResult) {
    if notes != nil, let answer = AnswerNote(result) {
      answers.append(answer)
      answerCount += 1
    }
    results.append(result)
    if results.count >= Self.batch { flush() }
  }

  /// Adds a push that was accepted at its first attempt.
  mutating func add(_ accepted: AcceptedPush, of chunk: PushChunk) {
    if notes != nil {
      answers.append(AnswerNote(accepted, of: chunk))
      answerCount += 1
    }
    results.append(accepted, of: chunk)
    if results.count >= Self.batch { flush() }
  }

  /// Notes the answers so far, and that pushes up to a number may have been sent, before either
  /// lets anything go out.
  mutating func note(sentUpTo sequence: UInt64 = 0) {
    if sequence > 0 || !answers.isEmpty { notes?.write(&answers, sentUpTo: sequence) }
  }

  /// Passes on results that have waited long enough.
  mutating func flushIfDue(now: UInt64) {
    guard now - lastFlush >= Self.longestWait else { return }
    lastFlush = now
    flush()
  }

  mutating func flush() {
    guard !results.isEmpty else { return }
    note()
    let noted = notes.map { (notes: $0, count: answerCount) }
    _ = queue.put(ResultBatch(results: results, noted: noted), wake: wake)
    (results, answerCount) = (PushResults(), 0)
    results.reserveCapacity(Self.batch)
  }
}
