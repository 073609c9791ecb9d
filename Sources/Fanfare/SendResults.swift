internal import APNS
internal import PushModel
internal import Synchronization

/// The results of pushes to a sequence of devices. Iterating them does the sending, once.
public struct SendResults: AsyncSequence, Sendable {
  /// A push and its outcome.
  public typealias Element = SendResult

  private final class Source: Sendable {
    let list: RecipientList
    let read: @Sendable (RecipientList) async throws -> Void
    let hasBegun = Atomic(false)

    init(_ list: RecipientList, _ read: @escaping @Sendable (RecipientList) async throws -> Void) {
      (self.list, self.read) = (list, read)
    }
  }

  private enum Origin {
    case sending(Source, PushClient)
    case made([SendResult])
  }

  private let origin: Origin

  /// - Parameters:
  ///   - message: the notification as requests carry it.
  ///   - renderer: makes the payload of each recipient; nil when all get the same.
  ///   - read: reads all recipients.
  init(
    _ client: PushClient, _ message: PushMessage, _ pushType: PushType,
    _ renderer: TemplateRenderer?,
    read: @escaping @Sendable (inout ListReader) async throws -> Void
  ) {
    let list = RecipientList(message, pushType, client.dispatcher)
    let source = Source(list) { list in
      var reader = ListReader(list, renderer)
      try await read(&reader)
    }
    origin = .sending(source, client)
  }

  /// Creates results that send nothing, for tests of what is done with results.
  public init(_ results: [SendResult]) { origin = .made(results) }

  /// Begins to send. The results can be iterated once, since no push is sent twice: a second
  /// iteration throws ``IterationError``.
  public func makeAsyncIterator() -> AsyncIterator {
    switch origin {
    case .made(let results): return AsyncIterator(results)
    case .sending(let source, let client):
      let isFirst = !source.hasBegun.exchange(true, ordering: .relaxed)
      return AsyncIterator(isFirst ? Consumption(source.list, source.read, client) : nil)
    }
  }

  /// The results of one sequence were iterated twice, or two copies of an iterator were used.
  public struct IterationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error in one sentence.
    public var description: String {
      "The results are iterated once, and by one iterator: no push is sent twice."
    }
  }

  /// Ends the sending when its iterator is gone.
  fileprivate final class Consumption: Sendable {
    let list: RecipientList
    /// The number of results that were taken. A copy of the iterator would not know of it.
    let taken = Atomic(0)
    private let client: PushClient
    private let reading: Task<Void, Never>

    init(
      _ list: RecipientList, _ read: @escaping @Sendable (RecipientList) async throws -> Void,
      _ client: PushClient
    ) {
      (self.list, self.client) = (list, client)
      client.dispatcher.begin(list)
      if Task.isCancelled { list.cancel() }
      reading = Task {
        do {
          try await read(list)
          list.end(.success(()))
        } catch {
          list.end(.failure(error))
        }
      }
    }

    deinit {
      reading.cancel()
      list.drop()
    }
  }

  /// Takes the results one by one. Copies of it are no iterators of their own.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var consumption: Consumption?
    private var results: [SendResult] = []
    private var next = 0
    private var taken = 0
    private var error: IterationError?

    fileprivate init(_ consumption: Consumption?) {
      self.consumption = consumption
      error = consumption == nil ? IterationError() : nil
    }

    fileprivate init(_ results: [SendResult]) { self.results = results }

    /// Waits for the next result; nil when every push has had one.
    ///
    /// - Throws: the error that ended the sequence of recipients, `CancellationError` when the
    ///   task was cancelled, ``Obstacle`` when the client was closed, or the notification is for a
    ///   channel; ``IterationError`` when the results are iterated a second time.
    public mutating func next() async throws -> SendResult? { try await next(isolation: nil) }

    /// Waits for the next result, on the caller's actor: a result that is there costs no switch of
    /// threads.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> SendResult? {
      if let error { throw error }
      if let consumption { try take(consumption) }
      if next == results.count { try await takeMore() }
      if next == results.count { return nil }
      defer { next += 1 }
      return results[next]
    }

    /// Notes that the next result is this iterator's.
    private mutating func take(_ consumption: Consumption) throws {
      let isOwn = consumption.taken.compareExchange(
        expected: taken, desired: taken + 1, ordering: .relaxed
      ).exchanged
      if !isOwn { throw IterationError() }
      taken += 1
    }

    private mutating func takeMore(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
      (results, next) = ([], 0)
      guard let consumption else { return }
      do {
        results = try await consumption.list.next()
      } catch {
        self.consumption = nil
        throw error
      }
      if results.isEmpty { self.consumption = nil }
    }
  }
}
