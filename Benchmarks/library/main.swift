// Sends with the library alone, for Benchmarks/run:
//
//   library-benchmark list|single URL ROOTS.pem KEY.p8 COUNT
//
// `list` sends to a list of COUNT device tokens through `for try await`; `single` makes COUNT single
// sends from 1,000 tasks. Prints {"accepted":N,"pushesPerSecond":N}. Over one connection.

import Fanfare

let arguments = CommandLine.arguments
guard arguments.count == 6, let count = Int(arguments[5]) else {
  print("usage: library-benchmark list|single URL ROOTS.pem KEY.p8 COUNT")
  throw CancellationError()
}
var options = PushClient.Options()
options.connections = .fixed(1)
let client = PushClient(
  credentials: try .signingKey(file: arguments[4], teamID: "TEAM123456"),
  environment: try .server(arguments[2], roots: arguments[3]), options: options)
let notification = try PushNotification(
  .alert(title: "Somebody", body: "The world of push alerts", badge: 2, sound: "default"),
  bundleID: "com.example.app")

/// A device token of usual length with this number in it.
func deviceToken(_ number: Int) -> DeviceToken? {
  let digits = Array("0123456789abcdef".utf8)
  let bytes = (0..<64).map { digits[(number >> (4 * ($0 % 16))) & 15] }
  return bytes.withUnsafeBufferPointer { try? DeviceToken(ascii: $0) }
}

/// Device tokens that are made as they are read.
struct DeviceTokens: Sequence, IteratorProtocol, Sendable {
  var left: Int

  mutating func next() -> DeviceToken? {
    if left == 0 { return nil }
    left -= 1
    return deviceToken(left)
  }
}

func sendList() async throws -> Int {
  var accepted = 0
  for try await result in client.send(notification, to: DeviceTokens(left: count))
  where result.outcome == .accepted {
    accepted += 1
  }
  return accepted
}

func sendSingly() async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for task in 0..<1000 {
      group.addTask {
        var accepted = 0
        for number in stride(from: task, to: count, by: 1000) {
          guard let token = deviceToken(number) else { continue }
          if await client.send(notification, to: token).outcome == .accepted { accepted += 1 }
        }
        return accepted
      }
    }
    return await group.reduce(0, +)
  }
}

let clock = ContinuousClock()
let start = clock.now
let accepted = arguments[1] == "list" ? try await sendList() : await sendSingly()
let seconds = (clock.now - start) / .seconds(1)
await client.close()
print(#"{"accepted":\#(accepted),"pushesPerSecond":\#(Double(count) / seconds)}"#)
