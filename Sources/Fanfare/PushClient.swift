public import APNS
package import HTTP2
internal import PushModel

/// Sends notifications over connections that it keeps open, for any number of tasks at once.
///
/// It connects with the first push. No call blocks the thread it is made on. A client that sends
/// has three threads and some descriptors, and none again once it is idle for as long as
/// ``Options/idleTimeout`` says: make one for the process, not one for each request. When the last reference is gone, it closes its connections and ends its
/// threads. They block `SIGPIPE`; what the process does with that signal stays as it is.
public final class PushClient: Sendable {
  let dispatcher: Dispatcher
  let environment: Environment

  /// Creates a client, without connecting yet.
  ///
  /// - Parameters:
  ///   - credentials: a signing key or a client certificate.
  ///   - environment: the service to push to.
  ///   - options: limits and time-outs, with the program's defaults.
  ///   - events: receives events for logs and metrics, one after the other, on a thread of its own:
  ///     a slow one holds up no push. At most 10,000 events wait for it; others are dropped, and
  ///     their number is an event. It must not wait for the client to be closed.
  public convenience init(
    credentials: Credentials, environment: Environment, options: Options = Options(),
    events: (@Sendable (Event) -> Void)? = nil
  ) {
    self.init(credentials, environment, options, clock: .system, events: events)
  }

  package init(
    _ credentials: Credentials, _ environment: Environment, _ options: Options, clock: RunClock,
    events: (@Sendable (Event) -> Void)? = nil
  ) {
    self.environment = environment
    dispatcher = Dispatcher(
      credentials, environment.target(environment.address, options), options, clock: clock,
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
  /// `notAttempted`. A notification for a channel is `notAttempted`: ``broadcast(_:deadline:)``
  /// sends that.
  ///
  /// - Parameters:
  ///   - notification: a notification for devices.
  ///   - token: the device token.
  ///   - deadline: the longest time that the call takes. Then it ends as if the task were cancelled.
  ///     Nil waits for the tries of all pushes, which take minutes while no connection can be opened.
  public func send(
    _ notification: PushNotification, to token: DeviceToken, deadline: Duration? = nil
  ) async -> SendResult {
    await send(notification, token, deadline)
  }

  /// Sends to a device, given the digits of its token, and waits for the outcome.
  ///
  /// - Throws: ``DeviceTokenError`` when the text is not a device token.
  public func send(
    _ notification: PushNotification, to token: some StringProtocol, deadline: Duration? = nil
  ) async throws(DeviceTokenError) -> SendResult {
    await send(notification, to: try DeviceToken(token), deadline: deadline)
  }

  /// Sends to the channel of a notification, and waits for the outcome. A notification for devices
  /// is `notAttempted`.
  ///
  /// - Parameters:
  ///   - notification: a notification for a channel.
  ///   - deadline: the longest time that the call takes; nil for no limit.
  public func broadcast(
    _ notification: PushNotification, deadline: Duration? = nil
  ) async -> SendResult {
    await send(notification, nil, deadline)
  }

  private func send(
    _ notification: PushNotification, _ token: DeviceToken?, _ deadline: Duration?
  ) async -> SendResult {
    guard dispatcher.events != nil else { return await result(notification, token, deadline) }
    let start = dispatcher.clock.monotonic()
    let result = await result(notification, token, deadline)
    let duration = dispatcher.clock.monotonic() - start
    let ended = Ended(
      result: result, duration: .nanoseconds(Int64(clamping: duration)),
      pushType: notification.pushType, topic: notification.topic)
    dispatcher.events?.add(.ended(ended))
    return result
  }

  private func result(
    _ notification: PushNotification, _ token: DeviceToken?, _ deadline: Duration?
  ) async -> SendResult {
    if let obstacle = notification.obstacle(toDevice: token != nil) {
      return SendResult(token, id: nil, .notAttempted, obstacle)
    }
    return await Ticket(token, dispatcher).result(of: notification, within: deadline)
  }

  /// Goes on with other credentials, as when a key is rotated: for pushes from now on. Pushes that
  /// are on their way finish with the old ones. Credentials with the same key, or the same
  /// certificate, change nothing.
  public func update(credentials: Credentials) { dispatcher.update(credentials) }

  /// Takes no more pushes, and returns when all that were taken have their outcome, the connections
  /// are closed and the handler has had all events: an answer takes up to the time-out, a retry as
  /// long as it waits. Cancelling the task gives up what was not sent, and waits for no retry.
  public func close() async {
    dispatcher.close()
    await dispatcher.drain()
    await dispatcher.events?.drain()
  }

  /// Returns when the client is closed, which cancelling the task does, and all that was taken has
  /// its outcome: the life of a service.
  public func run() async {
    await dispatcher.closing()
    // A task of its own, since this one may be cancelled: what was taken is still sent.
    await Task { await dispatcher.drain() }.value
  }
}
