internal import HTTP2
internal import Synchronization

/// The work of the reader's thread, and what other threads may know of it.
final class Reading: Sendable {
  private struct State: ~Copyable {
    var recipients: RecipientReader
  }

  private let state: Mutex<State>
  private let published = Mutex(RecipientReader.Counts())

  init(_ recipients: consuming sending RecipientReader) {
    state = Mutex(State(recipients: recipients))
  }

  /// What became of the lines whose recipients were handed on. The figures of a chunk are in it
  /// before anybody can have the chunk.
  var counts: RecipientReader.Counts { published.withLock { $0 } }

  /// Reads all recipients and hands them on; ends early when the queue is closed.
  func putAll(into work: ChunkQueue<PushChunk>, wake: Wake, control: RunControl) {
    state.withLock { state in
      do throws(ListError) {
        while let chunk = try state.recipients.next() {
          let counts = state.recipients.counts
          guard work.put(chunk, wake: wake, commit: { publish(counts) }) else { return }
        }
      } catch {
        control.stop(.list(error))
      }
      publish(state.recipients.counts)
    }
    work.producerDone()
  }

  private func publish(_ counts: RecipientReader.Counts) { published.withLock { $0 = counts } }
}
