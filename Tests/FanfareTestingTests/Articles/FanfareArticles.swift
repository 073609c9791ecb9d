import Dispatch
import Fanfare
import Foundation

// The code of the articles in Fanfare.docc. Each block stands here word for word, in what it needs
// around it. It is compiled, not run.

func firstPush() async throws {
  let client = PushClient(
    credentials: try .signingKey(file: "AuthKey_ABC123DEFG.p8", teamID: "DEF123GHIJ"),
    environment: .sandbox)
  let notification = try PushNotification(
    .alert(title: "Order 1042", body: "Ready"), bundleID: "com.example.shop")
  let result = try await client.send(notification, to: "80d1…")
  print(result)
  await client.close()
}

func delivery() throws {
  let urgent = try PushNotification(
    .alert(body: "Ready"), bundleID: "com.example.shop", priority: .immediate,
    expiration: .after(.seconds(3600)), collapseID: "order-1042")
  _ = urgent
}

func noLonger(
  _ client: PushClient, _ notification: PushNotification, _ token: DeviceToken,
  _ database: Database
) async throws {
  let result = await client.send(notification, to: token, deadline: .seconds(5))
  if result.obstacle?.kind == .deadline { try await database.enqueue(token) }
}

func brokenRules() {
  do {
    _ = try PushNotification(.alert(body: "Ready"), bundleID: "com example shop")
  } catch {
    for problem in error.problems { print(problem.location, problem.message, problem.fix) }
  }
}

func alerts() {
  let alert = PushContent.alert(
    title: "Order 1042", body: "Ready", sound: "bell.caf", threadID: "orders",
    interruptionLevel: .timeSensitive, relevanceScore: 0.9, mutableContent: true)
  let translated = PushContent.alert(sound: .default)
    .localized(title: .init("ORDER_TITLE", "1042"), body: .init("ORDER_READY"))
  _ = (alert, translated)
}

func partsOfTheAppsOwn() throws {
  struct Order: Encodable { var number: Int }
  let content = try PushContent.alert(body: "Ready").adding(Order(number: 1042))
    .adding("shop", "Main Street").addingToAPS("target-content-id", "order")
  _ = content
}

func liveActivities() throws {
  struct Ride: Encodable { var minutes: Int }
  let update = try PushContent.liveActivity(
    .update, state: Ride(minutes: 3), staleAt: Date() + 15 * 60,
    alert: .init(title: "Your taxi is near", body: "Three minutes"))
  let end = try PushContent.liveActivity(.end, state: Ride(minutes: 0), dismissAt: Date() + 60)
  let start = try PushContent.liveActivityStart(
    "RideAttributes", attributes: ["driver": "Tomasz"], state: Ride(minutes: 8),
    alert: .init(title: "Taxi ordered", body: "Tomasz is on his way"), updates: .token)
  _ = (update, end, start)
}

func payloads() {
  let written = PushContent(.alert, ["aps": ["alert": "Ready", "interruption-level": "passive"]])
  let stored = PushContent(.alert, bytes: Array(#"{"aps":{"alert":"Ready"}}"#.utf8))
  _ = (written, stored)
}

func jobs(_ notification: PushNotification) throws {
  let job = try JSONEncoder().encode(notification)
  let again = try JSONDecoder().decode(PushNotification.self, from: job)
  _ = again
}

func list(
  _ client: PushClient, _ notification: PushNotification, _ tokens: [DeviceToken],
  _ database: Database
) async throws {
  for try await result in client.send(notification, to: tokens) {
    if result.deadToken == .yes, let token = result.token { try await database.delete(token) }
  }
}

struct Customer {
  var id: String
  var pushToken: String
}

extension Customer: RecipientConvertible {
  var recipient: Recipient { Recipient(pushToken, tag: id) }
}

func rows(
  _ client: PushClient, _ notification: PushNotification, _ customers: [Customer],
  _ database: Database
) async throws {
  for try await result in client.send(notification, to: customers) {
    if let id = result.tag { try await database.save(result.outcome, ofCustomer: id) }
  }
}

struct Order {
  var token: DeviceToken
  var name: String
  var number: Int
}

func template(_ client: PushClient, _ orders: [Order]) async throws {
  let template = try PushTemplate(
    .alert(title: "Hello {{name|default('there')}}", body: "Order {{order}} is ready"),
    bundleID: "com.example.shop")
  let recipients = orders.map { order in
    Recipient(order.token, variables: ["name": "\(order.name)", "order": "\(order.number)"])
  }
  for try await result in client.send(template, to: recipients) { print(result.outcome) }
}

func whatToDo(
  _ client: PushClient, _ notification: PushNotification, _ token: DeviceToken,
  _ database: Database, _ logger: Logger
) async throws {
  let result = await client.send(notification, to: token)
  switch result.outcome {
  case .accepted: break
  case .rejected where result.deadToken == .yes: try await database.delete(token)
  case .rejected: logger.error("\(result): \(result.advice ?? "")")
  case .deferred, .notAttempted: try await database.enqueue(token)
  case .skipped, .unknown: logger.info("\(result)")
  @unknown default: logger.info("\(result)")
  }
}

func resultsForTests(_ token: DeviceToken) {
  let deferred = SendResult(.deferred, to: token, status: .unavailable)
  let results = SendResults([deferred, SendResult(.accepted, at: 1, tag: "1042")])
  _ = results
}

func events(_ credentials: PushClient.Credentials) {
  let client = PushClient(credentials: credentials, environment: .production) { event in
    switch event {
    case .ended(let ended) where ended.result.outcome != .accepted: print(ended.result)
    case .stopped(let obstacle, let topic): print(topic ?? "all topics", obstacle)
    default: break
    }
  }
  _ = client
}

func serviceOfItsOwn(_ client: PushClient) async {
  signal(SIGTERM, SIG_IGN)
  let termination = DispatchSource.makeSignalSource(signal: SIGTERM)
  termination.setEventHandler { Task { await client.close() } }
  termination.resume()
  await client.run()
}

func keysThatChange(_ client: PushClient, _ secret: String) throws {
  client.update(
    credentials: try .signingKey(pem: secret, keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
}

func fromAPNSwift(
  _ client: PushClient, _ notification: PushNotification, _ token: DeviceToken,
  _ database: Database
) async throws {
  let result = await client.send(notification, to: token)
  if result.deadToken == .yes { try await database.delete(token) }
}

func readme(_ credentials: PushClient.Credentials, _ tokens: [DeviceToken]) async throws {
  let client = PushClient(credentials: credentials, environment: .production)
  let notification = try PushNotification(.alert(body: "Ready"), bundleID: "com.example.shop")
  for try await result in client.send(notification, to: tokens) { print(result.outcome) }
}
