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

  /// What was read so far and handed on: lines whose chunk nobody will take do not count.
  var counts: RecipientReader.Counts { published.withLock { $0 } }

  /// Reads all recipients and hands them on; ends early when the queue is closed.
  func putAll(into work: ChunkQueue<PushChunk>, control: RunControl) {
    defer { work.producerDone() }
    guard let wake = Wake() else {
      return control.stop(.connectionLost("no file descriptors left"))
    }
    state.withLock { state in
      do throws(ListError) {
        while let chunk = try state.recipients.next() {
          let counts = state.recipients.counts
          guard work.put(chunk, wake: wake, appended: { publish(counts) }) else { return }
        }
        publish(state.recipients.counts)
      } catch {
        control.stop(.list(error))
      }
    }
  }

  private func publish(_ counts: RecipientReader.Counts) { published.withLock { $0 = counts } }
}
