import Fanfare

/// Reads lines such as `1042 80d1…`, an order and a device token, and sends a push for each.
///
/// At most a hundred pushes are under way; then the next line waits.
///
/// - Parameter tell: receives what became of each line.
public func serve(
  _ lines: some AsyncSequence<String, Never>, _ notifier: OrderNotifier,
  tell: @escaping @Sendable (String) -> Void
) async {
  await withTaskGroup(of: Void.self) { group in
    var waiting = 0
    for await line in lines {
      if waiting == 100 { await group.next() } else { waiting += 1 }
      group.addTask { tell(await outcome(of: line, notifier)) }
    }
  }
}

private func outcome(of line: String, _ notifier: OrderNotifier) async -> String {
  let words = line.split(separator: " ")
  guard words.count == 2, let number = Int(words[0]) else {
    return "'\(line)' is not an order and a device token"
  }
  do {
    let device = try DeviceToken(words[1])
    guard let result = try await notifier.orderIsReady(number, for: device) else {
      return "order \(number): not sent, the device is gone"
    }
    let why = [result.reason?.description, result.advice, result.obstacle?.description]
    return (["order \(number): \(result.outcome)"] + why.compactMap(\.self))
      .joined(separator: " - ")
  } catch {
    return "order \(number): not sent: \(error)"
  }
}
