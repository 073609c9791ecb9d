internal import JSONText

extension RecordFormat {
  /// A JSON object per line.
  package static let jsonLines = RecordFormat("jsonl", "ndjson") { _ in JSONLines() }
}

private final class JSONLines: RecordEncoder {
  private let writer = JSONFieldWriter()

  var bytes: [UInt8] { writer.json.bytes }

  func beginRecord() { writer.json.beginObject() }

  func write(_ name: String, _ value: FieldValue?) { writer.write(name, value) }

  func endRecord() {
    writer.json.endObject()
    writer.json.endLine()
  }

  func removeAll() { writer.json.removeAll() }

  func read(_ line: [UInt8], _ columns: [String]) -> RecordLine {
    let json = try? JSONReader().read(line)
    return RecordLine { json?[$0]?.string ?? json?[$0]?.number?.text }
  }
}
