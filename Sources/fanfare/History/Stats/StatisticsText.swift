internal import APNS
internal import History
internal import PlainText
internal import PushModel

/// Figures of groups of pushes for people: a table, and bars where there is a terminal.
struct StatisticsText {
  let statistics: PushStatistics
  let grouping: PushGrouping
  let style: Style
  /// The columns of the terminal; nil where there is none.
  let width: Int?

  private static let gap = 2
  private static let leastBar = 12
  private static let mostBar = 40

  /// The lines, with a line feed at the end.
  var text: String {
    let plain = table(bar: nil)
    guard let width, !statistics.groups.isEmpty else { return plain.text }
    let room = width - plain.width - Self.gap
    if room >= Self.leastBar { return table(bar: min(room, Self.mostBar)).text }
    return plain.text + "\n" + chart(width).text
  }

  private func table(bar: Int?) -> TextTable {
    var table = TextTable([nameColumn] + figureColumns + barColumn(bar), style: style)
    for group in statistics.groups {
      table.add(cells(group.key.name(grouping), group.figures, plain) + bars(group, bar))
    }
    table.add(
      cells("total", statistics.total, style.bold) + (bar == nil ? [] : [("", plain)]))
    return table
  }

  /// The bars alone, for a terminal that is too narrow for them in the table.
  private func chart(_ width: Int) -> TextTable {
    let names = statistics.groups.map { $0.key.name(grouping) }
    let longest = (names + [grouping.rawValue]).map(\.count).max() ?? 0
    let room = min(max(width - longest - Self.gap, Self.leastBar), Self.mostBar)
    var table = TextTable([nameColumn] + barColumn(room), style: style)
    for (name, group) in zip(names, statistics.groups) {
      table.add([(name, plain)] + bars(group, room))
    }
    return table
  }

  private typealias Column = (heading: String, side: TextTable.Side)

  private var nameColumn: Column { (grouping.rawValue, grouping == .run ? .right : .left) }

  private var figureColumns: [Column] {
    ["pushes", "accepted", "rejected", "others", "rate", "p50", "p95", "p99 ms"]
      .map { ($0, .right) }
  }

  private func barColumn(_ width: Int?) -> [Column] {
    width == nil ? [] : [(BarText.heading, .left)]
  }

  private typealias Cell = (text: String, style: (String) -> String)

  private func cells(
    _ name: String, _ figures: PushFigures, _ nameStyle: @escaping (String) -> String
  ) -> [Cell] {
    let tally = figures.tally
    let others = tally.total - tally.accepted - tally.rejected
    let counts: [Cell] = [
      (name, nameStyle), (grouped(tally.total), plain), count(tally.accepted, style.good),
      count(tally.rejected, style.bad), count(others, style.doubtful),
      (figures.acceptance.map(percent) ?? "", plain),
    ]
    let latency = [0.5, 0.95, 0.99].map { share -> Cell in
      (figures.latency.percentile(share).map(milliseconds)?.droppingUnit ?? "", plain)
    }
    return counts + latency
  }

  private func count(_ number: Int, _ style: @escaping (String) -> String) -> Cell {
    (grouped(number), number > 0 ? style : plain)
  }

  private func bars(_ group: PushGroup, _ width: Int?) -> [Cell] {
    guard let width else { return [] }
    let most = statistics.groups.map(\.figures.tally.total).max() ?? 0
    let bar = BarText(tally: group.figures.tally, most: most, width: width)
    return [(bar.text, { _ in bar.styled(style) })]
  }

  private func plain(_ text: String) -> String { text }
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

  var text: String { accepted + others }

  func styled(_ style: Style) -> String {
    (accepted.isEmpty ? "" : style.good(accepted)) + (others.isEmpty ? "" : style.bad(others))
  }
}

extension PushGroup.Key {
  /// What a person calls it.
  fileprivate func name(_ grouping: PushGrouping) -> String {
    switch self {
    case .run(let run): run.description
    case .day(let day): date(day)
    case .word(let word): word?.printable ?? "no \(grouping.rawValue)"
    }
  }
}

/// A date in UTC.
///
/// - Parameter day: days since 1970.
func date(_ day: Int64) -> String { String(ISO8601.text(seconds: day * 86_400).prefix(10)) }

/// A share of all, from 0 to 1: only all of it is 100%, and only nothing 0%.
func percent(_ share: Double) -> String {
  let tenths = (share * 1000).rounded()
  if share > 0, tenths < 1 { return "<0.1%" }
  if share < 1, tenths > 999 { return ">99.9%" }
  return "\(fixed(share * 100, decimals: 1))%"
}

extension String {
  /// `12 ms` without its unit.
  fileprivate var droppingUnit: String { String(prefix { $0 != " " }) }
}
