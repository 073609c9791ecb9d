import Fanfare
import FanfareTesting
import Foundation

/// Does something with a server and a client of it, and closes both.
func withAPNs(
  _ options: LocalAPNs.Options = .init(),
  _ body: (LocalAPNs, PushClient) async throws -> Void
) async throws {
  let apns = try await LocalAPNs(options)
  let client = PushClient(credentials: apns.credentials, environment: apns.environment)
  try await body(apns, client)
  await client.close()
  await apns.close()
}

/// A notification that breaks no rule.
func sample(
  collapseID: String? = nil, priority: Priority? = nil, expiration: Expiration? = nil
) throws -> PushNotification {
  try PushNotification(
    .alert(title: "Order 1042", body: "Ready").adding("order", 1042),
    bundleID: "com.example.shop", priority: priority, expiration: expiration,
    collapseID: collapseID)
}

/// A time of a 410.
let longAgo = Date(timeIntervalSince1970: 1_700_000_000)

/// A device token that ends in a number.
func device(_ number: Int) throws -> DeviceToken {
  let digits = String(number, radix: 16)
  return try DeviceToken(String(repeating: "a", count: 64 - digits.utf8.count) + digits)
}
