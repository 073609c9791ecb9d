package import JSONText

extension RecordFormat {
  /// A JSON object per line.
  package static let jsonLines = RecordFormat("jsonl", "ndjson") { _ in JSONFieldWriter() }
}

extension JSONFieldWriter: RecordEncoder {
  package var bytes: [UInt8] { json.bytes }

  package func beginRecord() { json.beginObject() }

  package func endRecord() {
    json.endObject()
    json.endLine()
  }

  package func removeAll() { json.removeAll() }

  package func read(_ line: [UInt8], _ columns: [String]) -> RecordLine {
    let json = try? JSONReader().read(line)
    return RecordLine { json?[$0]?.string ?? json?[$0]?.number?.text }
  }
}
