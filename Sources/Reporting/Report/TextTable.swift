internal import JSONText
internal import PlainText

/// Rows in columns that are as wide as needed: one column for each named fact of the first row,
/// numbers aligned right. A long table is drained block by block.
package struct TextTable {
  private struct Column {
    let isNumber: Bool
    var width = 0
    /// The minimum width: numbers, and text to be copied, are never cut.
    var least = 0

    init(isNumber: Bool) { self.isNumber = isNumber }

    mutating func make(room cell: StyledText) {
      let needed = cell.plain.columns
      width = max(width, needed)
      if isNumber || cell.isVerbatim { least = max(least, needed) }
    }
  }

  /// The minimum width of a column of text.
  private static let leastText = 6
  private static let gap = 2

  let style: Style
  /// The width of the terminal. If it is too small, the widest texts are cut.
  private let width: Int
  private var columns: [Column] = []
  private var rows: [[Report.Fact]] = []

  package init(style: Style, width: Int = .max) { (self.style, self.width) = (style, width) }

  /// The number of rows that wait for the next drain.
  package var count: Int { rows.count }

  package mutating func add(_ row: [Report.Part]) {
    rows.append(row.flatMap(\.flattened).compactMap(\.namedFact))
  }

  /// The lines of the rows since the last drain, after the headings the first time. Columns keep
  /// their widths, and grow where a later block needs it.
  package mutating func drain() -> [String] {
    guard let first = rows.first else { return [] }
    var head: [[StyledText]] = []
    if columns.isEmpty {
      head = [first.map { StyledText($0.name?.plain ?? "", .bold) }]
      columns = first.indices.map { index in
        Column(isNumber: rows.contains { $0[index].value.number != nil })
      }
    }
    let cells = head + rows.map { $0.map { $0.shown ?? "" } }
    rows.removeAll(keepingCapacity: true)
    for row in cells {
      for (index, cell) in row.enumerated() { columns[index].make(room: cell) }
    }
    let widths = fittingWidths
    return cells.map { line($0, widths) }
  }

  /// The widths of the columns, the widest ones narrowed until a line fits, if possible.
  private var fittingWidths: [Int] {
    var widths = columns.map(\.width)
    var excess = widths.reduce(Self.gap * (widths.count - 1), +) - width
    while excess > 0 {
      let cuttable = widths.indices.filter { widths[$0] > max(columns[$0].least, Self.leastText) }
      guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [StyledText], _ widths: [Int]) -> String {
    let cells = width == .max ? cells : zip(cells, widths).map { $0.cut(to: $1) }
    let texts = cells.map(\.plain)
    let last = texts.lastIndex { !$0.isEmpty } ?? 0
    let padded = cells.indices.prefix(last + 1).map { index in
      let room = String(repeating: " ", count: widths[index] - texts[index].columns)
      let cell = texts[index].isEmpty ? "" : style.of(cells[index])
      if columns[index].isNumber { return room + cell }
      return index == last ? cell : cell + room
    }
    return padded.joined(separator: String(repeating: " ", count: Self.gap))
  }
}
