import Fanfare

/// A part of the payload beside Apple's, for the app.
private struct Reference: Encodable {
  let order: Int
}

/// Tells customers that their orders are ready, and remembers which devices are gone.
public actor OrderNotifier {
  private let client: any PushSending
  private let bundleID: String
  private var gone: Set<DeviceToken> = []

  /// Creates a notifier that sends with a client, or with what a test has in its place.
  public init(_ client: any PushSending, bundleID: String) {
    (self.client, self.bundleID) = (client, bundleID)
  }

  /// Sends a push, unless APNs has said that the device is gone.
  ///
  /// - Returns: the result; nil when nothing was sent.
  public func orderIsReady(_ number: Int, for device: DeviceToken) async throws -> SendResult? {
    if gone.contains(device) { return nil }
    let notification = try PushNotification(
      .alert(title: "Order \(number)", body: "Ready at the counter", sound: "default")
        .adding(Reference(order: number)),
      bundleID: bundleID, collapseID: "order-\(number)")
    let result = await client.send(notification, to: device, deadline: .seconds(30))
    if result.deadToken == .yes { gone.insert(device) }
    return result
  }
}
