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
  public convenience init(
    credentials: Credentials, environment: Environment, options: Options = Options(),
    events: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.init(credentials, environment, options, clock: .system, events: events)
  }

  init(
    _ credentials: Credentials, _ environment: Environment, _ options: Options, clock: RunClock,
    events: @escaping @Sendable (Event) -> Void
  ) {
    self.environment = environment
    dispatcher = Dispatcher(
      credentials.push, environment.target(environment.address, options), options, clock: clock,
      events: events)
  }

  deinit { dispatcher.close() }

  /// Sends to a device and waits for the outcome.
  ///
  /// It never throws: whatever happens to a push is its outcome. When the task is cancelled, it
  /// returns at once: `notAttempted` if the push was not sent and will not be, else `unknown`.
  ///
  /// It does not wait for a server that asks for patience: a push to a device that gets too many
  /// (429) ends `deferred`, and while an answer's `Retry-After` holds up everything, the push is
  /// `notAttempted`. While no connection can be opened, it waits for the tries of all pushes, which
  /// take seconds at first and minutes once pushes have been answered; cancel the task to wait no
  /// longer. A notification for a channel is `notAttempted`: ``broadcast(_:)`` sends that.
  public func send(_ notification: Notification, to token: DeviceToken) async -> SendResult {
    await send(notification, Ticket(token, dispatcher))
  }

  /// Sends to a device, given the digits of its token, and waits for the outcome.
  ///
  /// - Throws: ``DeviceTokenError`` when the text is not a device token.
  public func send(
    _ notification: Notification, to token: some StringProtocol
  ) async throws(DeviceTokenError) -> SendResult {
    await send(notification, to: try DeviceToken(token))
  }

  /// Sends to the channel of a notification, and waits for the outcome. A notification for devices
  /// is `notAttempted`.
  public func broadcast(_ notification: Notification) async -> SendResult {
    await send(notification, Ticket(nil, dispatcher))
  }

  private func send(_ notification: Notification, _ ticket: Ticket) async -> SendResult {
    if let obstacle = notification.obstacle(toDevice: ticket.token != nil) {
      return SendResult(ticket.token, id: nil, .notAttempted, obstacle)
    }
    dispatcher.add(notification, ticket)
    return await ticket.result()
  }

  /// Goes on with other credentials, as when a key is rotated: for pushes from now on. Pushes that
  /// are on their way finish with the old ones.
  public func update(credentials: Credentials) { dispatcher.update(credentials.push) }

  /// Takes no more pushes, and returns when all that were taken have their outcome and the
  /// connections are closed: an answer takes up to the time-out, a retry as long as it waits.
  /// Cancelling the task gives up what was not sent, and waits for no retry.
  public func close() async {
    dispatcher.close()
    await dispatcher.drain()
  }

  /// Returns when the client is closed, which cancelling the task does, and all that was taken has
  /// its outcome: the life of a service.
  public func run() async {
    await dispatcher.closing()
    // A task of its own, since this one may be cancelled: what was taken is still sent.
    await Task { await dispatcher.drain() }.value
  }
}
