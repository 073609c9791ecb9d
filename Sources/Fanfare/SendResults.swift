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

  private let client: PushClient
  private let source: Source

  /// - Parameters:
  ///   - message: the notification as requests carry it.
  ///   - renderer: makes the payload of each recipient; nil when all get the same.
  ///   - read: reads all recipients.
  init(
    _ client: PushClient, _ message: PushMessage, _ renderer: TemplateRenderer?,
    read: @escaping @Sendable (inout ListReader) async throws -> Void
  ) {
    self.client = client
    source = Source(RecipientList(message, client.dispatcher)) { list in
      var reader = ListReader(list, renderer)
      try await read(&reader)
    }
  }

  /// Begins to send. A second iteration ends at once: no push is sent twice.
  public func makeAsyncIterator() -> AsyncIterator {
    if source.hasBegun.exchange(true, ordering: .relaxed) { return AsyncIterator(nil, client) }
    let (list, read) = (source.list, source.read)
    client.dispatcher.begin(list)
    let reading = Task {
      do {
        try await read(list)
        list.end(.success(()))
      } catch {
        list.end(.failure(error))
      }
    }
    return AsyncIterator(Consumption(list, reading), client)
  }

  /// Ends the sending when its iterator is gone.
  fileprivate final class Consumption: Sendable {
    let list: RecipientList
    private let reading: Task<Void, Never>

    init(_ list: RecipientList, _ reading: Task<Void, Never>) {
      (self.list, self.reading) = (list, reading)
    }

    deinit {
      reading.cancel()
      list.drop()
    }
  }

  /// Takes the results one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let client: PushClient
    private var consumption: Consumption?
    private var results: [SendResult] = []
    private var taken = 0

    fileprivate init(_ consumption: Consumption?, _ client: PushClient) {
      (self.consumption, self.client) = (consumption, client)
    }

    /// Waits for the next result; nil when every push has had one.
    ///
    /// - Throws: the error that ended the sequence of recipients, `CancellationError` when the
    ///   task was cancelled, ``Obstacle`` when the client was closed, or the notification is for a
    ///   channel.
    public mutating func next() async throws -> SendResult? { try await next(isolation: nil) }

    /// Waits for the next result, on the caller's actor: a result that is there costs no switch of
    /// threads.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> SendResult? {
      if taken == results.count { try await takeMore() }
      if taken == results.count { return nil }
      defer { taken += 1 }
      return results[taken]
    }

    private mutating func takeMore(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
      (results, taken) = ([], 0)
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
