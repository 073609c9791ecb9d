public import APNS
internal import Synchronization

/// The results of pushes to a sequence of devices. Iterating them does the sending, once.
public struct SendResults<Tokens: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Tokens.Element == DeviceToken {
  /// A push and its outcome.
  public typealias Element = SendResult

  private let client: PushClient
  private let source: Source

  init(_ tokens: Tokens, _ notification: Notification, _ client: PushClient) {
    self.client = client
    source = Source(tokens, RecipientList(notification.message(isList: true), client.dispatcher))
  }

  private final class Source: Sendable {
    let tokens: Tokens
    let list: RecipientList
    let hasBegun = Atomic(false)

    init(_ tokens: Tokens, _ list: RecipientList) { (self.tokens, self.list) = (tokens, list) }
  }

  /// Begins to send. A second iteration ends at once: no push is sent twice.
  public func makeAsyncIterator() -> AsyncIterator {
    if source.hasBegun.exchange(true, ordering: .relaxed) { return AsyncIterator(nil, client) }
    let (tokens, list) = (source.tokens, source.list)
    let reading = Task { await list.read(tokens) }
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
      list.cancel()
    }
  }

  /// Takes the results one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let client: PushClient
    private var consumption: Consumption?
    private var results: ArraySlice<SendResult> = []

    fileprivate init(_ consumption: Consumption?, _ client: PushClient) {
      (self.consumption, self.client) = (consumption, client)
    }

    /// Waits for the next result; nil when every push has had one.
    ///
    /// - Throws: the error that ended the sequence of device tokens, `CancellationError` when the
    ///   task was cancelled, ``Obstacle`` when the client was closed.
    public mutating func next() async throws -> SendResult? { try await next(isolation: nil) }

    /// Waits for the next result, on the caller's actor: a result that is there costs no switch of
    /// threads.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> SendResult? {
      if let result = results.popFirst() { return result }
      guard let consumption else { return nil }
      do {
        results = try await consumption.list.next()[...]
      } catch {
        self.consumption = nil
        throw error
      }
      if results.isEmpty { self.consumption = nil }
      return results.popFirst()
    }
  }
}

/// Device tokens in memory, as an asynchronous sequence.
public struct ReadyTokens<Tokens: Sequence & Sendable>: AsyncSequence, Sendable {
  /// A device token.
  public typealias Element = Tokens.Element

  private let tokens: Tokens

  init(_ tokens: Tokens) { self.tokens = tokens }

  /// Begins at the first.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(tokens.makeIterator()) }

  /// Takes the device tokens one by one, without waiting.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var tokens: Tokens.Iterator

    fileprivate init(_ tokens: Tokens.Iterator) { self.tokens = tokens }

    /// Returns the next; nil at the end.
    public mutating func next() async -> Tokens.Element? { tokens.next() }
  }
}
