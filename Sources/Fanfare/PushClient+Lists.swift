extension PushClient {
  /// Sends to all recipients of a sequence, as fast as the server and the consumer allow.
  ///
  /// Iterating the results does the sending; they come as pushes end, not in the order of the
  /// sequence: ``SendResult/position`` tells which is which. At most 32,768 pushes are between the
  /// two, so an endless sequence and a slow consumer take flat memory. A consumer that stops, stops
  /// the reading; pushes that were not sent then are not. When the consuming task is cancelled, each
  /// push that was read still gets its result, at once, and then the iteration throws
  /// `CancellationError`.
  ///
  /// A list waits where a single push does not: for a device that gets too many pushes (429), with
  /// five tries, and for as long as an answer's `Retry-After` says, an hour at most.
  ///
  /// - Parameters:
  ///   - notification: what all of them get.
  ///   - recipients: device tokens, their digits, or recipients.
  /// - Returns: the results, to be iterated once.
  public func send<Recipients: AsyncSequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible {
    SendResults(self, notification.message(isList: true), notification.pushType, nil) {
      if let obstacle = notification.obstacle(toDevice: true) { throw obstacle }
      try await $0.read(recipients)
    }
  }

  /// Sends to all recipients of a sequence in memory, which is read many at a time.
  ///
  /// - Returns: the results, to be iterated once.
  public func send<Recipients: Sequence & Sendable>(
    _ notification: PushNotification, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible {
    SendResults(self, notification.message(isList: true), notification.pushType, nil) {
      if let obstacle = notification.obstacle(toDevice: true) { throw obstacle }
      await $0.read(recipients)
    }
  }

  /// Sends to all recipients of a sequence, each with a payload of its own.
  ///
  /// - Returns: the results, to be iterated once.
  public func send<Recipients: AsyncSequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible {
    SendResults(self, template.message, template.pushType, template.renderer) {
      try await $0.read(recipients)
    }
  }

  /// Sends to all recipients of a sequence in memory, each with a payload of its own.
  ///
  /// - Returns: the results, to be iterated once.
  public func send<Recipients: Sequence & Sendable>(
    _ template: PushTemplate, to recipients: Recipients
  ) -> SendResults where Recipients.Element: RecipientConvertible {
    SendResults(self, template.message, template.pushType, template.renderer) {
      await $0.read(recipients)
    }
  }
}
