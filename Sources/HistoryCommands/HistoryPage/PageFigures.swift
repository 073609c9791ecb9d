internal import APNS
internal import History
internal import JSONText
internal import PushModel
internal import Reporting
internal import Runs

/// The figures of a page, in memory that does not grow with the number of pushes.
struct PageFigures {
  /// The maximum number of rows in the page's table.
  static let mostRows = 2000
  /// The maximum number of distinct reasons: a server may make them up.
  private static let mostReasons = 100

  /// A push with facts from its run.
  struct Row {
    let push: PushEntry
    let environment: String
    let topic: String?
    /// The reasons it was skipped, in sentences; empty if it was not.
    var skippedFor: [String] = []
  }

  /// The number of answers with a reason.
  struct ReasonTotal {
    /// The reason, or the status of an answer without one.
    let name: String
    let reason: Reason?
    let facts: RequestFacts
    var count = 0
  }

  /// The distinct subjects of the pushes, newest first.
  struct Subjects {
    /// The maximum number that is named.
    static let most = 3

    private(set) var names: [String] = []
    private(set) var hasOthers = false

    mutating func add(_ name: String?) {
      guard let name, !names.contains(name) else { return }
      hasOthers = hasOthers || names.count == Self.most
      if names.count < Self.most { names.append(name) }
    }
  }

  /// Every push belongs to a known run.
  var knowsRuns = true
  private(set) var runs: Set<RunNumber> = []
  private(set) var apps = Subjects()
  private(set) var notifications = Subjects()
  private(set) var environments = Subjects()
  private(set) var runNames = Subjects()
  /// Outcomes and latencies of all pushes.
  private(set) var all = PushFigures()
  private(set) var times = TimeBars()
  private(set) var latencies = LatencyBars()
  private var reasonCounts: [String: ReasonTotal] = [:]
  /// Answers with reasons beyond the maximum.
  private(set) var otherReasons = 0
  private var refused: [Row] = []
  private var others: [Row] = []

  /// Adds a push. Call it with the newest first.
  mutating func add(_ push: PushEntry, _ stored: StoredRun) {
    count(push, stored)
    keep(push, stored)
  }

  /// Counts a push in all figures, in any order.
  mutating func count(_ push: PushEntry, _ stored: StoredRun) {
    if runs.insert(push.run).inserted, knowsRuns { add(stored) }
    all.add(push.outcome, latency: push.latencyMicroseconds)
    times.add(push.outcome, at: push.at)
    if let latency = push.latencyMicroseconds { latencies.add(microseconds: latency) }
    if let response = push.response, !response.isAccepted { add(response, push, stored) }
  }

  /// Adds a push to the rows. Call it with the newest first.
  mutating func keep(_ push: PushEntry, _ stored: StoredRun) {
    let record = stored.entry.record
    let row = Row(push: push, environment: record.environment, topic: record.topic)
    if push.outcome == .accepted {
      if others.count < Self.mostRows { others.append(row) }
    } else if refused.count < Self.mostRows {
      refused.append(row)
    }
  }

  /// Adds the reasons for skipping to the rows. `reasons` is called in the order of the lists.
  mutating func explainSkipped(_ reasons: (PushEntry) -> [String]) {
    for index in refused.indices.reversed() where refused[index].push.wasNeverSent {
      refused[index].skippedFor = reasons(refused[index].push)
    }
  }

  private mutating func add(_ stored: StoredRun) {
    let record = stored.entry.record
    apps.add(record.topic)
    notifications.add(stored.notificationName)
    environments.add(record.environment)
    runNames.add("\(stored.entry.run), \(ISO8601.text(seconds: record.started / 1000))")
  }

  private mutating func add(_ response: Response, _ push: PushEntry, _ stored: StoredRun) {
    let name = response.reason?.rawValue ?? "status \(response.status)"
    guard reasonCounts[name] != nil || reasonCounts.count < Self.mostReasons else {
      otherReasons += 1
      return
    }
    let new = ReasonTotal(name: name, reason: response.reason, facts: stored.facts(of: push))
    reasonCounts[name, default: new].count += 1
  }

  var total: Int { all.tally.total }

  /// The rows of the table: those not accepted, then the others, each newest first.
  var rows: [Row] { refused + others.prefix(Self.mostRows - refused.count) }

  /// The reasons, most frequent first.
  var reasons: [ReasonTotal] {
    reasonCounts.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}

extension StoredRun {
  /// The scenario's name, or else the alert's first line, with the push type.
  fileprivate var notificationName: String? {
    let record = entry.record
    let payload = (try? JSONReader().read(Array(record.payload.utf8))) ?? nil
    let banner = Banner(payload)
    let text = banner.flatMap { $0.title ?? $0.subtitle ?? $0.body.first }
    guard let name = record.scenario ?? text else { return record.pushType }
    let step = record.step.map { ", step \($0)" } ?? ""
    return name + step + (record.pushType.map { " (\($0))" } ?? "")
  }
}
