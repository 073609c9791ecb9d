internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs

/// Figures by group of pushes: a table, with bars on a terminal; in JSON, an object per group and
/// one for the total.
struct StatisticsReport {
  let statistics: PushStatistics
  let grouping: PushGrouping
  /// The runs by number, if the groups are runs.
  let runs: [RunNumber: RunEntry]
  /// The columns of the terminal; nil if there is none.
  let width: Int?

  private static let heading: StyledText = "█ accepted ░ others"
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
    let empty: [Report.Part] = width == nil ? [] : [.text(Self.heading, "")]
    let total = head + figures(statistics.total) + empty
    return Report(parts: [.table(nil, rows + [total])], form: .lines)
  }

  /// A separate bar chart, for a terminal too narrow for bars in the table.
  private func chart(_ width: Int) -> Report.Part {
    let names = ReportText().text(of: [.table(nil, statistics.groups.map { key(of: $0) })])
    let longest = names.split(separator: "\n").map(\.count).max() ?? 0
    let room = min(max(width - longest - Self.gap, Self.leastBar), Self.mostBar)
    return .table(nil, statistics.groups.map { key(of: $0) + bar($0.figures, room) })
  }

  private func key(of group: PushGroup) -> [Report.Part] {
    let name = StyledText(grouping.rawValue)
    switch group.key {
    case .day(let day): return [.fact(name, "day", .text(utcDay(day * 86_400)))]
    case .word(let word):
      return [
        .fact(
          name, grouping.rawValue, .text(word), shown: StyledText(word ?? "no \(grouping.rawValue)")
        )
      ]
    case .run(let number):
      let run = runs[number].map { run -> [Report.Part] in
        [
          .json("began", .number(run.record.started)),
          .json("environment", .text(run.record.environment)),
          .json("state", .text(run.state?.rawValue)),
          .json("unread", run.unread?.json ?? nil),
        ]
      }
      return [.fact(name, "run", .number(number.rawValue), shown: "\(number)")] + (run ?? [])
    }
  }

  private func figures(_ figures: PushFigures) -> [Report.Part] {
    let tally = figures.tally
    let others = tally.total - tally.accepted - tally.rejected
    let outcomes = figures.outcomes { outcome, count in
      guard outcome == .accepted || outcome == .rejected else { return nil }
      return (
        StyledText(outcome.words), StyledText(grouped(count), count > 0 ? outcome.tone : .plain)
      )
    }
    return [.count("pushes", "total", tally.total)] + outcomes + [
      .count("others", nil, others, .doubtful),
      .fact(
        "rate", "acceptance", .decimal(figures.acceptance),
        shown: StyledText(figures.acceptance.map { percent($0) } ?? "")),
      figures.latencies { name, value in
        let shown = value.map { String(milliseconds($0).prefix { $0 != " " }) }
        return (StyledText(name == "p99" ? "p99 ms" : name), StyledText(shown ?? ""))
      },
    ]
  }

  private func bar(_ figures: PushFigures, _ width: Int?) -> [Report.Part] {
    guard let width else { return [] }
    let most = statistics.groups.map(\.figures.tally.total).max() ?? 0
    return [.text(Self.heading, Self.bar(figures.tally, most: most, width: width))]
  }

  /// Blocks for accepted pushes, then for the others.
  ///
  /// - Parameter most: the number of pushes of the longest bar, which takes the whole width.
  private static func bar(_ tally: OutcomeTally, most: Int, width: Int) -> StyledText {
    func blocks(_ count: Int) -> Int {
      Int((Double(count) / Double(max(1, most)) * Double(width)).rounded())
    }
    // Anything but zero gets at least one block.
    let whole = tally.total > 0 ? max(1, blocks(tally.total)) : 0
    let rest = tally.total - tally.accepted
    let least = tally.accepted > 0 ? min(1, whole) : 0
    let most = rest > 0 && whole > least ? whole - 1 : whole
    let solid = rest == 0 ? whole : min(max(least, blocks(tally.accepted)), most)
    let accepted = StyledText(String(repeating: "█", count: solid), .good)
    let others = StyledText(String(repeating: "░", count: whole - solid), .bad)
    return solid == 0 ? others : solid == whole ? accepted : "\(accepted)\(others)"
  }
}
