internal import Delivery
internal import HTTP2
internal import Opening
internal import POSIX
internal import PushModel
internal import Recipients
internal import Reporting
internal import Synchronization

/// Reads the recipients of a run on a thread of its own: a signal is heard even while a pipe has nothing
/// to say.
final class ListReading: Sendable {
  /// Recipients, and how far the lists were read with them.
  struct Part: Sendable {
    let chunk: PushChunk
    let counts: RecipientCounts
    let extent: ListExtent
  }

  /// What comes next.
  enum Step {
    case part(Part)
    /// Nothing was read for a while.
    case pause
    /// There is nothing more, or the reading was stopped.
    case end
  }

  /// How long recipients are waited for, in milliseconds.
  private static let patience = 500

  private let recipients: Mutex<RecipientReader>
  private let parts = ChunkQueue<Part>(capacity: 8)
  private let ended = Mutex<Result<RecipientCounts, ListError>?>(nil)
  private let taker: Wake

  /// Begins to read.
  ///
  /// - Throws: `Failure` when the system has no descriptor or thread left.
  static func start(
    _ recipients: consuming sending RecipientReader
  ) throws(Failure) -> ListReading {
    guard let taker = Wake(), let wake = Wake() else { throw .outOfDescriptors }
    let reading = ListReading(recipients, taker)
    guard Thread.start({ reading.readAll(wake) }) else { throw .outOfThreads }
    return reading
  }

  private init(_ recipients: consuming sending RecipientReader, _ taker: Wake) {
    self.recipients = Mutex(recipients)
    self.taker = taker
  }

  /// What became of all lines, or why they could not be read to the end; nil when they were not.
  var end: Result<RecipientCounts, ListError>? { ended.withLock { $0 } }

  /// The next recipients.
  func next() -> Step {
    for isLast in [false, true] {
      switch parts.take(orWake: taker) {
      case .element(let part): return .part(part)
      case .finished: return .end
      case .empty where isLast: return .pause
      case .empty: taker.wait(milliseconds: Self.patience)
      }
    }
    return .pause
  }

  /// The next recipients, however long they take; nil when there are none.
  func waitForNext() -> Part? {
    while true {
      switch next() {
      case .part(let part): return part
      case .pause: continue
      case .end: return nil
      }
    }
  }

  /// Ends it where it is.
  func stop() { parts.close() }

  private func readAll(_ wake: Wake) {
    let end: Result<RecipientCounts, ListError>? = recipients.withLock { recipients in
      do throws(ListError) {
        while let chunk = try recipients.next() {
          let part = Part(chunk: chunk, counts: recipients.counts, extent: recipients.extent)
          if !parts.put(part, wake: wake) { return nil }
        }
        return .success(recipients.counts)
      } catch {
        return .failure(error)
      }
    }
    ended.withLock { $0 = end }
    parts.producerDone()
  }
}
