/// Rows of cells in columns that are as wide as they have to be.
struct TextTable {
  /// On which side of its column a cell stands.
  enum Side {
    case left
    case right
  }

  private let sides: [Side]
  private var rows: [[String]]
  private var styles: [[(String) -> String]]

  /// A table with a row of headings.
  init(_ columns: [(heading: String, side: Side)], style: Style) {
    sides = columns.map(\.side)
    rows = [columns.map(\.heading)]
    styles = [columns.map { _ in style.bold }]
  }

  /// Adds a row: each cell with what colours it.
  mutating func add(_ cells: [(text: String, style: (String) -> String)]) {
    rows.append(cells.map(\.text))
    styles.append(cells.map(\.style))
  }

  /// The lines, each with a line feed.
  var text: String {
    let widths = widths
    return zip(rows, styles).map { line($0, $1, widths) + "\n" }.joined()
  }

  /// The columns of a terminal that it takes.
  var width: Int { widths.reduce(0, +) + 2 * (widths.count - 1) }

  private var widths: [Int] {
    sides.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  }

  private func line(
    _ cells: [String], _ styles: [(String) -> String], _ widths: [Int]
  ) -> String {
    let last = cells.lastIndex { !$0.isEmpty } ?? 0
    let padded = cells.indices.prefix(last + 1).map { column in
      let room = String(repeating: " ", count: widths[column] - cells[column].count)
      let cell = cells[column].isEmpty ? "" : styles[column](cells[column])
      if sides[column] == .right { return room + cell }
      return column == last ? cell : cell + room
    }
    return padded.joined(separator: "  ")
  }
}
