import Foundation
package import TestSupport

/// A line of `--results` in CSV, as far as tests ask for it.
package struct ResultRow {
  package var sequence: Int
  package var line: Int
  package var token: String
  package var apnsID: String
  package var outcome: String
  package var status: String
}

extension TemporaryFolder {
  /// The rows of `--results` in CSV. What was not written to its end is left out.
  package func results(_ name: String) throws -> [ResultRow] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file(name))))
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.dropFirst().dropLast().compactMap { ResultRow(cells: $0) }
  }
}

extension ResultRow {
  /// By bytes: a run has many lines. No cell of these tests holds a comma.
  fileprivate init?(cells line: ArraySlice<UInt8>) {
    let cells = line.split(separator: 0x2C, omittingEmptySubsequences: false)
    guard cells.count >= 15 else { return nil }
    func text(_ index: Int) -> String { String(decoding: cells[index], as: UTF8.self) }
    guard let sequence = Int(text(0)), let number = Int(text(2)) else { return nil }
    self.init(
      sequence: sequence, line: number, token: text(3), apnsID: text(4), outcome: text(5),
      status: text(6))
  }
}
