internal import Synchronization

/// The chunks that a worker's session has claimed and not returned, with the number of results that
/// each still needs. The session's source adds chunks, and its ledger counts them down. The
/// transaction that commits the last result of a chunk also deletes or frees the chunk.
///
/// The source adds a chunk once it has claimed it and knows the step for each push, before it
/// passes on the first of them. A chunk is identified by the number of its first push,
/// ``ChunkClaim/chunk``.
public final class ClaimedChunks: Sendable {
  /// The state of a claimed chunk.
  struct Entry {
    /// The number of the claim: a chunk may be freed and claimed again before the ledger learns of
    /// the first claim.
    var claim: Int
    /// The number of results still to come.
    var missing: Int
    /// The last push that may have been sent, by an earlier worker or according to results.
    var mark: UInt64
    /// The time at which the first of its pushes is due again, in milliseconds by the server's
    /// clock.
    var due: Int64?
    /// True if a push must be sent again at once.
    var isOpen = false
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var claims = 0
  }

  private let state = Mutex(State())

  /// Creates an empty set.
  public init() {}

  /// Adds a chunk that was claimed.
  ///
  /// - Parameters:
  ///   - chunk: the number of its first push.
  ///   - mark: the mark with which it was claimed; 0 if none of its pushes was ever sent.
  ///   - results: the number of its pushes that are passed on, and so get a result: all but those
  ///     whose step is `leave`. It may be 0: the next commit then returns the chunk.
  ///   - due: the time at which the first deferred push among the others is due, in milliseconds
  ///     since 1970 by the server's clock; nil if none of them is deferred.
  public func add(_ chunk: UInt64, mark: UInt64, results: Int, due: Int64? = nil) {
    state.withLock {
      $0.claims += 1
      $0.entries[chunk] = Entry(claim: $0.claims, missing: results, mark: mark, due: due)
    }
  }

  /// The number of chunks that the session has.
  public var count: Int { state.withLock { $0.entries.count } }

  /// A chunk that has not been returned.
  subscript(chunk: UInt64) -> Entry? { state.withLock { $0.entries[chunk] } }

  /// The chunks that need no more results.
  var complete: [UInt64: Entry] { all.filter { $1.missing <= 0 } }

  /// All chunks.
  var all: [UInt64: Entry] { state.withLock { $0.entries } }

  /// Adopts the changes of a commit, which has returned the chunks that need no more results.
  func settle(_ changed: [UInt64: Entry]) {
    state.withLock { state in
      for (chunk, entry) in changed where state.entries[chunk]?.claim == entry.claim {
        state.entries[chunk] = entry.missing > 0 ? entry : nil
      }
    }
  }

  /// Removes all chunks: none of them belongs to the session any more.
  func removeAll() { state.withLock { $0.entries = [:] } }
}

extension ClaimedChunks.Entry {
  /// Counts a result.
  ///
  /// - Parameter due: the time at which the push is sent again; nil if never.
  mutating func take(_ sequence: UInt64, due: DueTime?) {
    missing -= 1
    mark = max(mark, sequence)
    switch due {
    case .at(let time)?: self.due = min(self.due ?? time, time)
    case .now?: isOpen = true
    case nil: break
    }
  }

  /// True if each of its pushes has its final result.
  var isDone: Bool { missing <= 0 && due == nil && !isOpen }

  /// The time by the server's clock before which there is nothing to do; nil if there is something
  /// to do now.
  var nextDue: Int64? { isOpen ? nil : due }
}

/// The time at which a push is sent again.
enum DueTime {
  case now
  /// A time in milliseconds since 1970 by the server's clock.
  case at(Int64)
}
