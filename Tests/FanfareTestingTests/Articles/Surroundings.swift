import Fanfare

// What the articles' code finds around it in a server.

struct Database {
  func delete(_ token: DeviceToken) async throws {}
  func enqueue(_ token: DeviceToken) async throws {}
  func save(_ outcome: Outcome, ofCustomer id: String) async throws {}
}

/// The code under test in the article Testing.
struct Shop {
  let client: PushClient

  init(_ client: PushClient) { self.client = client }

  func orderIsReady(_ number: Int, for phone: DeviceToken) async throws {
    let notification = try PushNotification(
      .alert(title: "Order \(number)", body: "Ready"), bundleID: "com.example.shop")
    _ = await client.send(notification, to: phone)
  }
}
