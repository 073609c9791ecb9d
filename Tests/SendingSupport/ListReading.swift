package import APNS
package import PushModel
package import Recipients
import Synchronization

/// What a reader made of lists.
package struct ListReading {
  package var rows: [String] = []
  package var tokens: [String] = []
  package var payloads: [String] = []
  package var problems: [String?] = []
  package var registered: [Int64?] = []
  package var sequences: [UInt64] = []
  package var chunkSizes: [Int] = []
  package var counts = RecipientCounts()
  package var badLines: [BadLine] = []

  package init(
    _ sources: [RecipientSource], format: ListFormat = .txt,
    selection: RecipientSelection = RecipientSelection(), rendering: (any RowRendering)? = nil
  ) throws(ListError) {
    let bad = Mutex<[BadLine]>([])
    var reader = try RecipientReader(
      sources, format: format, selection: selection, rendering: rendering
    ) { line in bad.withLock { $0.append(line) } }
    while let chunk = try reader.next() { add(chunk) }
    counts = reader.counts
    badLines = bad.withLock { $0 }
  }

  /// The lines that became pushes, with what became of them in short.
  private mutating func add(_ chunk: PushChunk) {
    chunkSizes.append(chunk.count)
    for index in 0..<chunk.count {
      let push = chunk.push(at: index)
      rows.append("\(chunk.list.split(separator: "/").last ?? ""):\(push.line) \(push.token)")
      tokens.append(push.token)
      sequences.append(push.sequence)
      registered.append(chunk.registered(at: index))
      problems.append(chunk.problems(at: index)?.problems.first?.message)
      let payload = chunk.withPayload(at: index) { String(decoding: $0, as: UTF8.self) }
      if let payload { payloads.append(payload) }
    }
  }
}
