internal import Delivery
internal import HTTP2
internal import POSIX
internal import PushModel
internal import Recipients
internal import Reporting
internal import Synchronization

/// Reads the recipients of a run on a thread of its own, so that signals are handled even while a
/// pipe is idle.
final class ListReading: Sendable {
  /// Recipients, and the reading position after them.
  struct Part: Sendable {
    let chunk: PushChunk
    let counts: RecipientCounts
    let extent: ListExtent
  }

  /// The next thing read.
  enum Step {
    case part(Part)
    /// Nothing arrived within the timeout.
    case pause
    /// The lists are at their end, or reading was stopped.
    case end
  }

  /// The timeout for recipients, in milliseconds.
  private static let patience = 500

  private let recipients: Mutex<RecipientReader>
  private let parts = ChunkQueue<Part>(capacity: 8)
  private let ended = Mutex<Result<RecipientCounts, ListError>?>(nil)
  private let taker: Wake

  /// Starts reading.
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

  /// The counts of all lines, or the error that ended reading; nil if it did not finish.
  var end: Result<RecipientCounts, ListError>? { ended.withLock { $0 } }

  /// Returns the next recipients, or a pause.
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

  /// Waits for the next recipients without a timeout; nil at the end.
  func waitForNext() -> Part? {
    while true {
      switch next() {
      case .part(let part): return part
      case .pause: continue
      case .end: return nil
      }
    }
  }

  /// Stops reading.
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
