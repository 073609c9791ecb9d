import APNS
import Foundation
internal import PushModel
internal import Recipients

extension FuzzTarget {
  /// Any text as a cell: what is written as CSV reads as it was.
  static let csvLine = FuzzTarget("CSVLine") { bytes in
    let cells = String(decoding: bytes, as: UTF8.self).split(
      separator: "|", omittingEmptySubsequences: false
    ).map(String.init)
    let path = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var csv = CSVWriter()
    csv.row(["token", "cell"])
    for cell in cells { csv.row(["0a1b", cell]) }
    try Data(csv.bytes).write(to: URL(filePath: path))
    let found = try read(path)
    try expect(found == cells, "a cell reads as it was written", "\(cells), \(found)")
  }

  /// The column `cell`; the device tokens are all the same, so that none may be left out.
  private static func read(_ path: String) throws -> [String] {
    var reader = try RecipientReader(
      [.file(path)], format: .csv, selection: RecipientSelection(duplicates: .send),
      rendering: CellRendering())
    var cells: [String] = []
    while let chunk = try reader.next() {
      for index in 0..<chunk.count {
        cells += chunk.withPayload(at: index) { [String(decoding: $0, as: UTF8.self)] } ?? []
      }
    }
    return cells
  }
}

/// Makes the cell the payload.
private struct CellRendering: RowRendering {
  let names = ["cell"]

  mutating func render(_ values: TemplateValues, into payload: inout [UInt8]) {
    values.withValue(at: 0) { _, value in payload.append(contentsOf: value) }
  }
}
