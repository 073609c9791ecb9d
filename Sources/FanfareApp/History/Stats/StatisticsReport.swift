internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel

/// Figures of groups of pushes: a table, with bars where there is a terminal; in JSON an object for
/// each group and one for all.
struct StatisticsReport {
  let statistics: PushStatistics
  let grouping: PushGrouping
  /// The runs that the groups are of, when they are runs.
  let runs: [RunNumber: RunEntry]
  /// The columns of the terminal; nil where there is none.
  let width: Int?

  private static let gap = 2
  private static let leastBar = 12
  private static let mostBar = 40

  var report: Report {
    guard let width, !statistics.groups.isEmpty else { return table(bar: nil) }
    let plain = ReportText().text(of: table(bar: nil))
    let room = width - (plain.split(separator: "\n").map(\.count).max() ?? 0) - Self.gap
    if room >= Self.leastBar { return table(bar: min(room, Self.mostBar)) }
    var report = table(bar: nil)
    report.parts += [.lines([""]), chart(width)]
    return report
  }

  private func table(bar width: Int?) -> Report {
    let rows = statistics.groups.map { group -> [Report.Part] in
      let by = Report.Part.json("by", .text(grouping.rawValue))
      return [by] + key(of: group) + figures(group.figures) + bar(group.figures, width)
    }
    let head: [Report.Part] = [
      .json("by", "all"), .text(StyledText(grouping.rawValue), StyledText("total", .bold)),
    ]
    let empty: [Report.Part] = width == nil ? [] : [.text(StyledText(BarText.heading), "")]
    let total = head + figures(statistics.total) + empty
    return Report(parts: [.table(nil, rows + [total])], form: .lines)
  }

  /// The bars alone, for a terminal that is too narrow for them in the table.
  private func chart(_ width: Int) -> Report.Part {
    let names = statistics.groups.map { name(of: $0.key) }
    let longest = (names + [grouping.rawValue]).map(\.count).max() ?? 0
    let room = min(max(width - longest - Self.gap, Self.leastBar), Self.mostBar)
    return .table(nil, statistics.groups.map { keyColumn(of: $0) + bar($0.figures, room) })
  }

  private func name(of key: PushGroup.Key) -> String {
    switch key {
    case .run(let run): run.description
    case .day(let day): date(day)
    case .word(let word): word ?? "no \(grouping.rawValue)"
    }
  }

  private func keyColumn(of group: PushGroup) -> [Report.Part] {
    let name = StyledText(name(of: group.key))
    guard case .run(let run) = group.key else {
      return [.text(StyledText(grouping.rawValue), name)]
    }
    return [.number(run)]
  }

  private func key(of group: PushGroup) -> [Report.Part] {
    var members: [Report.Part] = []
    switch group.key {
    case .run(let number): members = [.json("run", .number(number.rawValue))]
    case .day(let day): members = [.json("day", .text(date(day)))]
    case .word(let word): members = [.json(grouping.rawValue, .text(word))]
    }
    if case .run(let number) = group.key, let run = runs[number] {
      members += [
        .json("began", .number(run.record.started)),
        .json("environment", .text(run.record.environment)),
        .json("state", .text(run.state?.rawValue)),
      ]
    }
    return members + keyColumn(of: group)
  }

  private func figures(_ figures: PushFigures) -> [Report.Part] {
    let tally = figures.tally
    let counts = [("total", tally.total)] + Outcome.allCases.map { ($0.rawValue, tally[$0]) }
    let latencies = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].map {
      (name: $0.0, value: figures.latency.percentile($0.1))
    }
    let rest: [Report.Part] = [
      .json("acceptance", .decimal(figures.acceptance)),
      .object("latency", latencies.map { Report.Part.json($0.name, .decimal($0.value)) }),
      .count("pushes", tally.total), .count("accepted", tally.accepted, .good),
      .count("rejected", tally.rejected, .bad),
      .count("others", tally.total - tally.accepted - tally.rejected, .doubtful),
      .figure("rate", figures.acceptance, figures.acceptance.map(percent)),
    ]
    let columns = latencies.map { latency in
      Report.Part.figure(
        StyledText(latency.name == "p99" ? "p99 ms" : latency.name), latency.value,
        latency.value.map(milliseconds)?.droppingUnit)
    }
    return counts.map { Report.Part.json($0.0, .number($0.1)) } + rest + columns
  }

  private func bar(_ figures: PushFigures, _ width: Int?) -> [Report.Part] {
    guard let width else { return [] }
    let most = statistics.groups.map(\.figures.tally.total).max() ?? 0
    return [
      .text(
        StyledText(BarText.heading), BarText(tally: figures.tally, most: most, width: width).text)
    ]
  }
}

extension Report.Part {
  /// A number for people only.
  fileprivate static func figure(
    _ name: StyledText, _ value: Double?, _ shown: String?
  ) -> Self {
    .fact(.init(name: name, shown: StyledText(shown ?? ""), value: .decimal(value)))
  }
}

/// A bar of blocks: what was accepted, then the others.
struct BarText {
  static let heading = "█ accepted ░ others"

  private let accepted: String
  private let others: String

  /// - Parameter most: the pushes of the longest bar, which is as wide as may be.
  init(tally: OutcomeTally, most: Int, width: Int) {
    func blocks(_ count: Int) -> Int {
      Int((Double(count) / Double(max(1, most)) * Double(width)).rounded())
    }
    // What there is, is seen.
    let whole = tally.total > 0 ? max(1, blocks(tally.total)) : 0
    let rest = tally.total - tally.accepted
    let least = tally.accepted > 0 ? min(1, whole) : 0
    let most = rest > 0 && whole > least ? whole - 1 : whole
    let solid = rest == 0 ? whole : min(max(least, blocks(tally.accepted)), most)
    accepted = String(repeating: "█", count: solid)
    others = String(repeating: "░", count: whole - solid)
  }

  var text: StyledText {
    if accepted.isEmpty { return StyledText(others, .bad) }
    return others.isEmpty ? StyledText(accepted, .good) : "\(accepted, .good)\(others, .bad)"
  }
}

extension String {
  /// `12 ms` without its unit.
  fileprivate var droppingUnit: String { String(prefix { $0 != " " }) }
}
