import Fanfare

// What the articles' code finds around it in a server: as swift-log, swift-metrics and
// swift-service-lifecycle declare it.

struct Logger: Sendable {
  func error(_ message: String) {}
  func info(_ message: String) {}
}

struct Counter {
  init(label: String, dimensions: [(String, String)]) {}
  func increment() {}
}

protocol Service: Sendable {
  func run() async throws
}

func cancelWhenGracefulShutdown<Result: Sendable>(
  _ operation: @Sendable @escaping () async throws -> Result
) async rethrows -> Result {
  try await operation()
}

struct Database {
  func delete(_ token: DeviceToken) async throws {}
  func enqueue(_ token: DeviceToken) async throws {}
}

/// The code under test in the article Testing.
struct Shop {
  let client: PushClient

  init(_ client: PushClient) { self.client = client }

  func orderIsReady(_ number: Int, for phone: DeviceToken) async throws {
    let notification = try Notification(
      .alert(title: "Order \(number)", body: "Ready"), bundleID: "com.example.shop")
    _ = await client.send(notification, to: phone)
  }
}
