import Fanfare
import FanfareTesting
import Orders
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OrdersTests {
  let shop = "com.example.shop"
  let phone: DeviceToken
  let tablet: DeviceToken
  let apns: LocalAPNs
  let client: PushClient

  init() async throws {
    phone = try DeviceToken(String(repeating: "0a1b", count: 16))
    tablet = try DeviceToken(String(repeating: "2c3d", count: 16))
    apns = try await LocalAPNs()
    client = PushClient(credentials: apns.credentials, environment: apns.environment)
  }

  @Test("A customer is told that the order is ready")
  func told() async throws {
    let result = try await OrderNotifier(client, bundleID: shop).orderIsReady(1042, for: phone)
    #expect(result?.outcome == .accepted)
    let push = try await apns.next()
    #expect(push.token == phone && push.topic == shop && push.collapseID == "order-1042")
    #expect(push.payload?["aps"]?["alert"]?["title"] == "Order 1042")
    #expect(push.payload?["order"] == 1042)
  }

  @Test("A device that is gone gets no second push")
  func gone() async throws {
    apns[phone] = .unregistered()
    let notifier = OrderNotifier(client, bundleID: shop)
    #expect(try await notifier.orderIsReady(1, for: phone)?.reason == .unregistered)
    #expect(try await notifier.orderIsReady(2, for: phone) == nil)
    #expect(try await notifier.orderIsReady(2, for: tablet)?.outcome == .accepted)
    #expect(apns.received.count == 2)
  }

  @Test("Every line has an outcome, also while APNs fails")
  func lines() async throws {
    apns.play(.refusedStream.times(1))
    let told = Mutex<[String]>([])
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    for line in ["1 \(phone.hex)", "2 \(tablet.hex)", "3 phone", "four"] {
      continuation.yield(line)
    }
    continuation.finish()
    await serve(lines, OrderNotifier(client, bundleID: shop)) { line in
      told.withLock { $0.append(line) }
    }
    let all = told.withLock { $0.sorted() }
    #expect(all.count == 4 && all[0] == "'four' is not an order and a device token")
    #expect(all[1] == "order 1: accepted" && all[2] == "order 2: accepted")
    #expect(all[3].hasPrefix("order 3: not sent: "))
  }
}
