internal import HTTP2
internal import PushModel
internal import Synchronization

/// The progress of the reader.
struct ReadingProgress {
  /// The counts for the lines whose recipients were passed on. They include a chunk before any
  /// thread can take it.
  var counts = RecipientCounts()
  /// The number of pushes passed on, without those that were already finished.
  var handedOn = 0
  /// The part of the lists that is read.
  var extent = ListExtent()
  /// The last recipient passed on; nil before the first.
  var place: UnreadRecipients.Place?
  /// Nothing is left to read.
  var hasEnded = false
  /// The error that ended reading. What was read before is sent.
  var failure: ListError?

  /// The number of pushes in the lists; nil when not known yet.
  var total: PushTotal? {
    if hasEnded { return PushTotal(count: counts.pushes, isExact: true) }
    return extent.total(after: counts.pushes)
  }

  /// The number of pushes that this pass has to finish; nil when not known yet.
  ///
  /// - Parameter plan: the rest of a resumed run; nil for a new one.
  func total(_ plan: ResumePlan?) -> PushTotal? { plan.map { $0.left(of: total) } ?? total }

  /// The recipients that no pass has read; nil when one reached the end of the lists.
  ///
  /// - Parameter plan: the rest of a resumed run; nil for a new one.
  func unread(_ plan: ResumePlan?) -> UnreadRecipients? {
    let rest = extent.rest(after: counts.pushes)
    if hasEnded || rest == 0 { return nil }
    if let last = plan?.last, counts.pushes <= last { return nil }
    // An earlier pass may have read further than this one; its place is not known here.
    let further = max(0, (plan?.recipients.pushes ?? 0) - counts.pushes)
    return UnreadRecipients(
      after: further == 0 ? place : nil, count: rest.map { max(1, $0 - further) })
  }
}

/// The work of the reader's thread, and its progress for other threads.
final class SourceReader<Source: PushSource & ~Copyable>: Sendable {
  private struct State: ~Copyable {
    var recipients: Source
    var resumption: Resumption?

    /// Returns the next chunk with unfinished pushes; nil at the end.
    mutating func next() throws -> PushChunk? {
      while let chunk = try recipients.next() {
        guard resumption != nil else { return chunk }
        if let rest = try resumption?.rest(of: chunk) { return rest }
      }
      return nil
    }
  }

  private let state: Mutex<State>
  private let published = Mutex(ReadingProgress())

  /// - Parameter resumption: the rest of a resumed run; nil for a new one.
  init(
    _ recipients: consuming sending Source, _ resumption: consuming sending Resumption?
  ) {
    state = Mutex(State(recipients: recipients, resumption: resumption))
  }

  /// The progress of the reader.
  var progress: ReadingProgress { published.withLock { $0 } }

  /// Reads all recipients and hands them on; ends early when the queue is closed.
  ///
  /// - Parameter gate: lets recipients through once they are claimed; nil without claims.
  func putAll(
    into work: ChunkQueue<PushChunk>, through gate: ClaimGate?, wake: Wake, control: RunControl
  ) {
    state.withLock { state in
      var (hasEnded, failure) = (false, ListError?.none)
      do {
        while let chunk = try state.next() {
          let (counts, extent) = (state.recipients.counts, state.recipients.extent)
          gate?.pass(upTo: chunk.lastSequence, waitingOn: wake)
          let place = UnreadRecipients.Place(
            list: chunk.list, line: chunk.line(at: chunk.count - 1))
          guard
            work.put(chunk, wake: wake, commit: { publish(counts, extent, place, chunk.openCount) })
          else { return }
        }
        hasEnded = true
      } catch let error as ListError {
        failure = error
      } catch {
        control.stop((error as? HistoryError).map { .history($0) } ?? .interrupted)
      }
      publish(state.recipients.counts, state.recipients.extent)
      published.withLock { ($0.hasEnded, $0.failure) = (hasEnded, failure) }
    }
    work.producerDone()
  }

  private func publish(
    _ counts: RecipientCounts, _ extent: ListExtent, _ place: UnreadRecipients.Place? = nil,
    _ handedOn: Int = 0
  ) {
    published.withLock { progress in
      progress.counts = counts
      progress.handedOn += handedOn
      progress.extent = extent
      progress.place = place ?? progress.place
    }
  }
}

extension PushChunk {
  /// The number of unfinished pushes.
  var openCount: Int { isWhole ? count : (0..<count).count { step(at: $0) != .leave } }
}

/// Determines what is left of each chunk when a run is resumed. Belongs to the thread that rereads
/// the lists.
struct Resumption: ~Copyable {
  private let plan: ResumePlan
  private let standings: any PushStandings
  private let now: @Sendable () -> Int64

  /// - Parameter now: the time in milliseconds since 1970 UTC.
  init(
    _ plan: ResumePlan, _ standings: sending any PushStandings,
    now: @escaping @Sendable () -> Int64
  ) {
    self.plan = plan
    self.standings = standings
    self.now = now
  }

  /// Returns the chunk with a step for each push; nil when nothing is left of it. Chunks must come
  /// in list order.
  mutating func rest(of chunk: PushChunk) throws(HistoryError) -> PushChunk? {
    let now = now()
    var found: [PushState] = []
    for push in chunk.pushes { found.append(try standings.standing(of: push.sequence)) }
    let steps = found.map { plan.step(for: $0, now: now) }
    return steps.allSatisfy { $0 == .leave } ? nil : chunk.taking(steps, from: found)
  }
}
