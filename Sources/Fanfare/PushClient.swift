public import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import PushModel

/// Sends notifications over connections that it keeps open, for any number of tasks at once.
///
/// It connects with the first push. No call blocks the thread it is made on. When the last
/// reference is gone, it closes its connections and ends its threads.
public final class PushClient: Sendable {
  let dispatcher: Dispatcher
  let environment: Environment

  /// Creates a client, without connecting yet.
  ///
  /// - Parameters:
  ///   - credentials: a signing key or a client certificate.
  ///   - environment: the service to push to.
  ///   - options: limits and time-outs, with the program's defaults.
  ///   - events: receives events for logs and metrics, on the client's own threads. It must not
  ///     wait for the client.
  public init(
    credentials: Credentials, environment: Environment, options: Options = Options(),
    events: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.environment = environment
    dispatcher = Dispatcher(
      credentials.push, environment.target(environment.address, options), options, events: events)
  }

  deinit { dispatcher.close() }

  /// Sends to a device and waits for the outcome.
  ///
  /// It never throws: whatever happens to a push is its outcome. When the task is cancelled, it
  /// returns at once: `notAttempted` if the push was not sent and will not be, else `unknown`.
  ///
  /// A device token that gets too many pushes (429) ends `deferred`, without waiting.
  public func send(_ notification: Notification, to token: DeviceToken) async -> SendResult {
    await send(SinglePush(notification, to: token))
  }

  /// Sends to a device, given the digits of its token, and waits for the outcome.
  ///
  /// - Throws: ``DeviceTokenError`` when the text is not a device token.
  public func send(
    _ notification: Notification, to token: some StringProtocol
  ) async throws(DeviceTokenError) -> SendResult {
    await send(notification, to: try DeviceToken(token))
  }

  /// Sends to the channel of a notification, and waits for the outcome.
  public func broadcast(_ notification: Notification) async -> SendResult {
    await send(SinglePush(notification, to: nil))
  }

  private func send(_ push: SinglePush) async -> SendResult {
    dispatcher.add(push)
    return await push.ticket.result()
  }

  /// Sends to all devices of a sequence, as fast as the server and the consumer allow.
  ///
  /// Iterating the results does the sending; they come as pushes end, not in the order of the
  /// sequence. At most 32,768 pushes are between the two, so an endless sequence and a slow
  /// consumer take flat memory. A consumer that stops, stops the reading; pushes that were not sent
  /// then are not. When the consuming task is cancelled, each push that was read still gets its
  /// result, at once, and then the iteration throws `CancellationError`.
  ///
  /// - Returns: the results, to be iterated once.
  public func send<Tokens: AsyncSequence & Sendable>(
    _ notification: Notification, to tokens: Tokens
  ) -> SendResults<Tokens> where Tokens.Element == DeviceToken {
    SendResults(tokens, notification, self)
  }

  /// Sends to all devices of a sequence in memory.
  ///
  /// - Returns: the results, to be iterated once.
  public func send<Tokens: Sequence & Sendable>(
    _ notification: Notification, to tokens: Tokens
  ) -> SendResults<ReadyTokens<Tokens>> where Tokens.Element == DeviceToken {
    send(notification, to: ReadyTokens(tokens))
  }

  /// Goes on with other credentials, as when a key is rotated: for pushes from now on. Pushes that
  /// are on their way finish with the old ones.
  public func update(credentials: Credentials) { dispatcher.update(credentials.push) }

  /// Takes no more pushes, and returns when all that were taken have their outcome and the
  /// connections are closed. Cancelling the task gives up what was not sent.
  public func close() async {
    dispatcher.close()
    await dispatcher.drain()
  }

  /// Returns when the task is cancelled and the client then closed: the life of a service.
  public func run() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    // A task of its own, since this one is cancelled: what was taken is still sent.
    await Task { await close() }.value
  }
}
