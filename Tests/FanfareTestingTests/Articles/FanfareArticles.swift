import Fanfare

// The code of the articles in Fanfare.docc. Each block stands here word for word, in what it needs
// around it. It is compiled, not run.

func firstPush() async throws {
  let client = PushClient(
    credentials: try .signingKey(file: "AuthKey_ABC123DEFG.p8", teamID: "DEF123GHIJ"),
    environment: .sandbox)
  let notification = try Notification(
    .alert(title: "Order 1042", body: "Ready"), bundleID: "com.example.shop")
  let result = try await client.send(notification, to: "80d1…")
  print(result.outcome, result.reason ?? "", result.advice ?? "")
  await client.close()
}

func delivery() throws {
  let urgent = try Notification(
    .alert(body: "Ready"), bundleID: "com.example.shop", priority: .immediate,
    expiration: .after(.seconds(3600)), collapseID: "order-1042")
  _ = urgent
}

func partsOfTheAppsOwn() throws {
  struct Order: Encodable { var number: Int }
  let content = try Content.alert(body: "Ready").adding(Order(number: 1042))
  _ = content
}

func partsOfTheAppsOwnInAPS() throws {
  struct Ride: Encodable { var minutes: Int }
  let state = try JSON(encoding: Ride(minutes: 3))
  let activity = Content(
    .liveactivity, ["aps": ["timestamp": 1_795_255_200, "event": "update", "content-state": state]])
  _ = activity
}

func payloads() {
  let written = Content(.alert, ["aps": ["alert": "Ready", "interruption-level": "passive"]])
  let stored = Content(.alert, bytes: Array(#"{"aps":{"alert":"Ready"}}"#.utf8))
  _ = (written, stored)
}

func brokenRules() {
  do {
    _ = try Notification(.alert(body: "Ready"), bundleID: "com example shop")
  } catch {
    for problem in error.problems { print(problem.message, problem.fix) }
  }
}

func list(
  _ client: PushClient, _ notification: Notification, _ tokens: [DeviceToken], _ database: Database
) async throws {
  for try await result in client.send(notification, to: tokens) {
    if result.deadToken == .yes, let token = result.token { try await database.delete(token) }
  }
}

struct Order {
  var token: DeviceToken
  var name: String
  var number: Int
}

func template(_ client: PushClient, _ orders: [Order]) async throws {
  let template = try NotificationTemplate(
    .alert(title: "Hello {{name|default('there')}}", body: "Order {{order}} is ready"),
    bundleID: "com.example.shop")
  let recipients = orders.map { order in
    Recipient(order.token, variables: ["name": "\(order.name)", "order": "\(order.number)"])
  }
  for try await result in client.send(template, to: recipients) { print(result.outcome) }
}

func whatToDo(
  _ client: PushClient, _ notification: Notification, _ token: DeviceToken, _ database: Database,
  _ logger: Logger
) async throws {
  let result = await client.send(notification, to: token)
  switch result.outcome {
  case .accepted: break
  case .rejected where result.deadToken == .yes: try await database.delete(token)
  case .rejected: logger.error("\(result.reason?.description ?? "refused"): \(result.advice ?? "")")
  case .deferred, .notAttempted: try await database.enqueue(token)
  case .skipped, .unknown: logger.info("\(token) may not have it")
  }
}

func logsAndMetrics(_ credentials: PushClient.Credentials, _ logger: Logger) {
  let client = PushClient(credentials: credentials, environment: .production) { event in
    Counter(label: "push_events", dimensions: [("event", event.name)]).increment()
    if case .stopped(let obstacle) = event { logger.error("\(obstacle)") }
  }
  _ = client
}

extension PushClient.Event {
  var name: String {
    switch self {
    case .connectionOpened: "opened"
    case .connectionClosed: "closed"
    case .providerTokenReplaced: "token_replaced"
    case .resent: "resent"
    case .stopped: "stopped"
    }
  }
}

struct Pushes: Service {
  let client: PushClient

  func run() async throws {
    await cancelWhenGracefulShutdown { await client.run() }
  }
}

func keysThatChange(_ client: PushClient, _ secret: String) throws {
  client.update(
    credentials: try .signingKey(pem: secret, keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
}

func fromAPNSwift(
  _ client: PushClient, _ notification: Notification, _ token: DeviceToken, _ database: Database
) async throws {
  let result = await client.send(notification, to: token)
  if result.deadToken == .yes { try await database.delete(token) }
}

func liveActivity() throws {
  let content = Content(
    .liveactivity,
    aps: [
      .init(key: "timestamp", value: 1_795_255_200), .init(key: "event", value: "update"),
      .init(key: "content-state", value: ["minutes": 3]),
    ])
  let notification = try Notification(content, bundleID: "com.example.taxi")
  _ = notification
}

func readme(_ credentials: PushClient.Credentials, _ tokens: [DeviceToken]) async throws {
  let client = PushClient(credentials: credentials, environment: .production)
  let notification = try Notification(.alert(body: "Ready"), bundleID: "com.example.shop")
  for try await result in client.send(notification, to: tokens) { print(result.outcome) }
}
