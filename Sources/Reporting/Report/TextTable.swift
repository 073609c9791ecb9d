internal import JSONText
internal import PlainText

/// Rows in columns that are as wide as needed: one column for each named fact of the first row,
/// numbers aligned right. A long table is drained block by block.
package struct TextTable {
  private struct Column {
    let isNumber: Bool
    let isOptional: Bool
    /// The widths of its texts, and of their short forms.
    private var (full, short) = (0, 0)
    /// The minimum width: numbers, times, and text to be copied are shortened, but never cut.
    var least = 0
    /// It has more than its heading.
    private var isFilled = false
    var isShort = false
    var isLeftOut = false

    init(_ heading: StyledText, isNumber: Bool) {
      (self.isNumber, isOptional) = (isNumber, heading.isOptional)
      make(room: heading)
      isFilled = !isOptional
    }

    var width: Int { isShort ? short : full }
    var isShown: Bool { isFilled && !isLeftOut }
    var canBeShort: Bool { !isShort && short < full }

    mutating func make(room cell: StyledText) {
      let (needed, shortest) = (cell.plain.columns, cell.shortened.plain.columns)
      (full, short) = (max(full, needed), max(short, shortest))
      if isNumber || cell.isVerbatim { least = max(least, shortest) }
      isFilled = isFilled || needed > 0
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
      head = [first.map { ($0.name ?? "").bold }]
      columns = first.indices.map { index in
        Column(
          first[index].name ?? "", isNumber: rows.contains { $0[index].value.number != nil })
      }
    }
    let cells = rows.map { $0.map { ($0.shown ?? "").told(in: style.offset) } }
    rows.removeAll(keepingCapacity: true)
    for row in cells {
      for (index, cell) in row.enumerated() { columns[index].make(room: cell) }
    }
    while excess(of: columns.map(\.width)) > 0, abridge() {}
    let widths = fittingWidths
    return (head + cells).map { line($0, widths) }
  }

  /// Leaves out an optional column, or uses the short form of another.
  ///
  /// - Returns: false if neither is possible.
  private mutating func abridge() -> Bool {
    if let last = columns.lastIndex(where: { $0.isOptional && $0.isShown }) {
      columns[last].isLeftOut = true
    } else if let first = columns.firstIndex(where: \.canBeShort) {
      columns[first].isShort = true
    } else {
      return false
    }
    return true
  }

  private var shown: [Int] { columns.indices.filter { columns[$0].isShown } }

  /// The columns of the terminal that a line needs beyond its width.
  private func excess(of widths: [Int]) -> Int {
    shown.reduce(Self.gap * (shown.count - 1)) { $0 + widths[$1] } - width
  }

  /// The widths of the columns, the widest ones narrowed until a line fits, if possible.
  private var fittingWidths: [Int] {
    var widths = columns.map(\.width)
    var excess = excess(of: widths)
    while excess > 0 {
      let cuttable = shown.filter { widths[$0] > max(columns[$0].least, Self.leastText) }
      guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ texts: [StyledText], _ widths: [Int]) -> String {
    let shown = shown
    let cells = shown.map { index in
      let cell = columns[index].isShort ? texts[index].shortened : texts[index]
      return width == .max ? cell : cell.cut(to: widths[index])
    }
    let last = cells.lastIndex { !$0.plain.isEmpty } ?? 0
    let padded = cells.indices.prefix(last + 1).map { index in
      let plain = cells[index].plain
      let room = String(repeating: " ", count: widths[shown[index]] - plain.columns)
      let cell = plain.isEmpty ? "" : style.of(cells[index])
      if columns[shown[index]].isNumber { return room + cell }
      return index == last ? cell : cell + room
    }
    return padded.joined(separator: String(repeating: " ", count: Self.gap))
  }
}
