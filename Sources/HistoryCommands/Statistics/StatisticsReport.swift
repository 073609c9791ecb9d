internal import History
package import JSONText
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
    let rows = statistics.groups.map { group in
      StatisticsRow.fields.parts(of: row(group)) + bar(group.figures, width)
    }
    let total = StatisticsRow(grouping: grouping, key: nil, run: nil, figures: statistics.total)
    let empty: [Report.Part] = width == nil ? [] : [.text(Self.heading, "")]
    let last = StatisticsRow.fields.parts(of: total) + empty
    return Report(parts: [.table(nil, rows + [last])], form: .lines)
  }

  private func row(_ group: PushGroup) -> StatisticsRow {
    let run: RunEntry? = if case .run(let number) = group.key { runs[number] } else { nil }
    return StatisticsRow(grouping: grouping, key: group.key, run: run, figures: group.figures)
  }

  /// A separate bar chart, for a terminal too narrow for bars in the table.
  private func chart(_ width: Int) -> Report.Part {
    let keys = statistics.groups.map { [row($0).name] }
    let names = ReportText().text(of: [.table(nil, keys)])
    let longest = names.split(separator: "\n").map(\.count).max() ?? 0
    let room = min(max(width - longest - Self.gap, Self.leastBar), Self.mostBar)
    return .table(nil, zip(keys, statistics.groups).map { $0 + bar($1.figures, room) })
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

/// A group of pushes, or the total: a line of `history stats`.
package struct StatisticsRow {
  let grouping: PushGrouping
  /// Nil for the total.
  let key: PushGroup.Key?
  /// The run, if the group is one, for programs.
  let run: RunEntry?
  let figures: PushFigures

  package static let fields: [OutputField<Self>] = [
    .always(
      "by", { $0.key == nil ? "all" : $0.grouping.rawValue }, "What the group shares.",
      .word(PushGrouping.allCases.map(\.rawValue) + ["all"])), .people { [$0.name] },
    .sometimes("run", \.number?.rawValue, "The run's number."),
    .sometimes("began", \.run?.record.started, "When it began, in milliseconds since 1970."),
    .sometimes("day", \.day, "The day in UTC."),
    .sometimes("reason", { $0.word(of: .reason) }, "The reason."),
    .sometimes("topic", { $0.word(of: .topic) }, "The topic."),
    .sometimes("environment", \.environment, "The environment."),
    .sometimes("state", { $0.run.map(\.state) }, "How far the run has come."),
    .sometimes("unread", { $0.run.map(\.unread) }, "What of the run's lists was not read."),
    .always(
      "total", \.figures.tally.total, "Pushes: the sum of the six outcomes.",
      as: StyledText("pushes").orShort("all")),
    .outcomes(\.figures.tally, shown: [.accepted, .rejected]) {
      StyledText(grouped($2), $2 > 0 ? $1.tone : .plain)
    },
    .people {
      let tally = $0.figures.tally
      let others = tally.total - tally.accepted - tally.rejected
      return [.count(StyledText("others").orShort("rest"), others, .doubtful)]
    },
    .always(
      "acceptance", \.figures.acceptance, "The share that was accepted, from 0 to 1.", as: "rate"
    ) { StyledText($0.figures.acceptance.map { percent($0) } ?? "") },
    .latency({ $0.figures.latency.percentiles.map(\.value) }, in: ["p50", "p95", "p99 ms"]) {
      let figure = String($0.map(milliseconds)?.prefix { $0 != " " } ?? "")
      return StyledText(figure).orShort(figure.filter { $0 != "," })
    },
  ]

  /// The group's name, for people.
  var name: Report.Part {
    let label = StyledText(grouping.rawValue)
    return switch key {
    case .run(let run):
      .fact(.init(name: label, shown: "\(run)", value: .number(run.rawValue)))
    case .day: .text(label, .verbatim(day ?? "").orShort(String((day ?? "").suffix(5))))
    case .word(let word): .text(label, word.map(Self.whole) ?? "no \(grouping.rawValue)")
    case nil: .text(label, StyledText("total", .bold))
    }
  }

  /// A word that is never cut, because two may differ at their ends: URLs by their ports.
  private static func whole(_ word: String) -> StyledText {
    let scheme = "https://"
    let short = word.hasPrefix(scheme) ? String(word.dropFirst(scheme.count)) : word
    return .verbatim(word).orShort(short)
  }

  private var environment: String?? {
    if let run { .some(run.record.environment) } else { word(of: .environment) }
  }

  private var number: RunNumber? { if case .run(let number) = key { number } else { nil } }

  private var day: String? { if case .day(let day) = key { utcDay(day * 86_400) } else { nil } }

  /// The word that the pushes share, which may be none; nil if they share something else.
  private func word(of grouping: PushGrouping) -> String?? {
    if grouping == self.grouping, case .word(let word) = key { .some(word) } else { .none }
  }
}
