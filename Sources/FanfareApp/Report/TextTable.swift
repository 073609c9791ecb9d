internal import JSONText
internal import PlainText

/// Rows in columns that are as wide as they have to be: a column for each fact that has a name in the
/// first row; numbers stand on the right. A long table is drained block by block.
struct TextTable {
  private struct Column {
    let isNumber: Bool
    var width: Int
  }

  let style: Style
  private var columns: [Column] = []
  private var rows: [[Report.Fact]] = []

  init(style: Style) { self.style = style }

  /// How many rows are held until the next draining.
  var count: Int { rows.count }

  mutating func add(_ row: [Report.Part]) {
    rows.append(row.flatMap(\.flattened).compactMap(\.namedFact))
  }

  /// The lines of the rows since the last draining, the headings before the first ones. Columns keep
  /// their widths, and grow where a later block needs it.
  mutating func drain() -> [String] {
    guard let first = rows.first else { return [] }
    var head: [[StyledText]] = []
    if columns.isEmpty {
      head = [first.map { StyledText($0.name?.plain ?? "", .bold) }]
      columns = first.indices.map { index in
        Column(isNumber: rows.contains { $0[index].value.number != nil }, width: 0)
      }
    }
    let cells = head + rows.map { $0.map { $0.shown ?? "" } }
    rows.removeAll(keepingCapacity: true)
    for row in cells {
      for (index, cell) in row.enumerated() {
        columns[index].width = max(columns[index].width, cell.plain.columns)
      }
    }
    return cells.map(line)
  }

  private func line(_ cells: [StyledText]) -> String {
    let texts = cells.map(\.plain)
    let last = texts.lastIndex { !$0.isEmpty } ?? 0
    let padded = cells.indices.prefix(last + 1).map { index in
      let room = String(repeating: " ", count: columns[index].width - texts[index].columns)
      let cell = texts[index].isEmpty ? "" : style.of(cells[index])
      if columns[index].isNumber { return room + cell }
      return index == last ? cell : cell + room
    }
    return padded.joined(separator: "  ")
  }
}
