public import APNS

/// What a ``PushClient`` does: code that takes it in place of the client can be tested with another
/// sender, which gives the results that a test is about.
public protocol PushSending: Sendable {
  /// Sends to a device and waits for the outcome.
  func send(
    _ notification: PushNotification, to token: DeviceToken, deadline: Duration?
  ) async -> SendResult

  /// Sends to the channel of a notification, and waits for the outcome.
  func broadcast(_ notification: PushNotification, deadline: Duration?) async -> SendResult

  /// Sends to all recipients of a sequence.
  func send<Recipients: AsyncSequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible

  /// Sends to all recipients of a sequence in memory.
  func send<Recipients: Sequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible

  /// Sends to all recipients of a sequence, each with a payload of its own.
  func send<Recipients: AsyncSequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible

  /// Sends to all recipients of a sequence in memory, each with a payload of its own.
  func send<Recipients: Sequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible
}

extension PushClient: PushSending {}

extension PushSending {
  /// Sends to a device, however long it takes.
  public func send(_ notification: PushNotification, to token: DeviceToken) async -> SendResult {
    await send(notification, to: token, deadline: nil)
  }

  /// Sends to the channel of a notification, however long it takes.
  public func broadcast(_ notification: PushNotification) async -> SendResult {
    await broadcast(notification, deadline: nil)
  }
}
