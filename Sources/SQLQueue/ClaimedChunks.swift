internal import PushModel
internal import Synchronization

/// The chunks that a worker session has claimed and not given back, and how many results each still
/// needs: shared by the session's source, which adds them, and its ledger, which counts them down. When
/// the last result of a chunk is committed, the same transaction deletes or frees the chunk.
///
/// The source adds a chunk once it has claimed it and knows what to do with each push, before it hands
/// out the first of them. The chunk is known by the number of its first push, ``ChunkClaim/chunk``.
public final class ClaimedChunks: Sendable {
  /// What is known of a claimed chunk.
  struct Entry {
    /// Which claim it is: a chunk may be freed and claimed again before the ledger knows of the first.
    var claim: Int
    /// How many results are still to come.
    var missing: Int
    /// Pushes up to this one may have been sent: by those who had the chunk before, or as results tell.
    var mark: UInt64
    /// When the first of its pushes is due again, in milliseconds by the server's clock.
    var due: Int64?
    /// Whether a push has to be sent again at once.
    var isOpen = false
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var claims = 0
  }

  private let state = Mutex(State())

  /// No chunk yet.
  public init() {}

  /// Adds a chunk that was claimed.
  ///
  /// - Parameters:
  ///   - chunk: the number of its first push.
  ///   - mark: the mark that it was claimed with; 0 when none of its pushes was ever sent.
  ///   - results: how many of its pushes are handed out, and so get a result: all but those whose step
  ///     is `leave`. None is right as well: the next commit then gives the chunk back.
  ///   - due: when the first of the deferred pushes among those that are left is due, in milliseconds
  ///     since 1970 by the server's clock; nil when none of them is deferred.
  public func add(_ chunk: UInt64, mark: UInt64, results: Int, due: Int64? = nil) {
    state.withLock {
      $0.claims += 1
      $0.entries[chunk] = Entry(claim: $0.claims, missing: results, mark: mark, due: due)
    }
  }

  /// How many chunks the session has.
  public var count: Int { state.withLock { $0.entries.count } }

  /// A chunk that has not been given back.
  subscript(chunk: UInt64) -> Entry? { state.withLock { $0.entries[chunk] } }

  /// The chunks that need no result any more.
  var complete: [UInt64: Entry] { all.filter { $1.missing <= 0 } }

  /// All of them.
  var all: [UInt64: Entry] { state.withLock { $0.entries } }

  /// Takes over what a commit has changed. Chunks that need no result were given back by it.
  func settle(_ changed: [UInt64: Entry]) {
    state.withLock { state in
      for (chunk, entry) in changed where state.entries[chunk]?.claim == entry.claim {
        state.entries[chunk] = entry.missing > 0 ? entry : nil
      }
    }
  }

  /// Forgets all: none of them is the session's any more.
  func removeAll() { state.withLock { $0.entries = [:] } }
}

extension ClaimedChunks.Entry {
  /// Counts a result.
  ///
  /// - Parameter due: when the push is to be sent again; nil when never.
  mutating func take(_ sequence: UInt64, due: DueTime?) {
    missing -= 1
    mark = max(mark, sequence)
    switch due {
    case .at(let time)?: self.due = min(self.due ?? time, time)
    case .now?: isOpen = true
    case nil: break
    }
  }

  /// Whether each of its pushes has its last result.
  var isDone: Bool { missing <= 0 && due == nil && !isOpen }

  /// Before this time, by the server's clock, there is nothing to do; nil when there is.
  var nextDue: Int64? { isOpen ? nil : due }
}

/// When a push is to be sent again.
enum DueTime {
  case now
  /// In milliseconds since 1970 by the server's clock.
  case at(Int64)
}
