internal import APNS
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import Settings

// Options that suit --enqueue, and options that belong to workers.
extension Settings {
  /// The settings of an enqueued run, without those for connecting, which are left to workers.
  ///
  /// - Throws: `Failure` when an option concerns sending, or the history has no queue.
  func forQueue(_ context: Context) throws(Failure) -> Settings {
    try refuseSendersOptions(beside: "--enqueue")
    if keepsHistory.isOff { throw .conflict("--enqueue", "--no-history") }
    _ = try queueLocation(context)
    if environment?.value == .auto { throw .conflict("--enqueue", "--env auto") }
    if let local = environment?.value, local.isEmulator { throw .emulatorOfWorkers(local.shown) }
    var kept = self
    (kept.ca, kept.port, kept.proxy, kept.broadcastHost) = (nil, nil, nil, nil)
    (kept.results, kept.deadTokens, kept.template, kept.tokenCache) = (nil, nil, nil, nil)
    return kept
  }

  /// - Throws: `Failure.usage` for options about how pushes are sent or where results go.
  func refuseSendersOptions(beside option: String) throws(Failure) {
    let origins = [
      watch?.origin, results?.origin, resultsFormat?.origin, deadTokens?.origin, template?.origin,
      tlsKeyLog?.origin, maxTime?.origin,
      tokenCache?.origin, ca?.origin, port?.origin, proxy?.origin, broadcastHost?.origin,
    ]
    let given = origins.compactMap { $0 }.filter(\.isOption).map { "'\($0.text)'" }
    if let last = given.last {
      let names = [given.dropLast().joined(separator: ", "), last].filter { !$0.isEmpty }
      throw .usage(
        "\(names.joined(separator: " and ")) cannot be used with '\(option)': give "
          + "\(given.count == 1 ? "it" : "them") to 'fanfare work', which sends.")
    }
  }
}

extension Failure {
  /// Workers cannot reach the emulator or the inbox of this process or machine.
  fileprivate static func emulatorOfWorkers(_ name: String) -> Failure {
    Failure(
      "'--enqueue' leaves the sending to workers, and none can send to the \(name) from here.",
      fix: "Give --env sandbox or production, or --server URL; or leave out --enqueue.")
  }
}

extension Settings {
  /// The history with the queue.
  ///
  /// - Throws: `Failure` when it is a file, or otherwise unusable.
  func queueLocation(_ context: Context) throws(Failure) -> String {
    let location = try requiredHistoryPath(context)
    guard HistoryLocation(location).hasQueue else {
      throw .history(.noQueue(path: location))
    }
    return location
  }
}
