import APNS
import PushModel
import Recipients
import SendingSupport

import TestSupport
@testable import SQLQueue

/// A list that is read for the queue.
struct QueueSample {
  var list: String
  var channel: String?
  /// Whether each row has a name, which is missing every third time, and a number.
  var hasValues: Bool
  private var builder = PushChunkBuilder()
  private var number = 0

  static let names = ["name", "number"]

  init(list: String = "all.txt", channel: String? = nil, hasValues: Bool = false) {
    (self.list, self.channel, self.hasValues) = (list, channel, hasValues)
  }

  /// The next recipients. The number of each is in the last digits of its device token, and a tenth of
  /// its line; of every fifth the list says when it was registered.
  mutating func next(_ count: Int = PushChunk.capacity) throws -> PushChunk {
    builder.begin(list: list, channel: channel)
    for _ in 0..<count {
      number += 1
      try append()
    }
    return builder.take()
  }

  private mutating func append() throws {
    // Every seventh is as long as that of a simulator.
    let padding = number % 7 == 0 ? String(repeating: "a", count: 96) : ""
    var token = channel == nil ? padding + tokenText(number) : ""
    token.withUTF8 {
      builder.append(
        token: $0, line: 10 * number, registered: number % 5 == 0 ? 1000 + Int64(number) : nil)
    }
    guard hasValues else { return }
    var rendering: (any RowRendering)? = ValueRows(for: EchoRendering(names: Self.names))
    builder.render(values, &rendering)
  }

  private var values: TemplateValues {
    var values = TemplateValues()
    if number % 3 == 0 {
      values.append(.missing, "")
    } else {
      values.append(.text, "Zoë \(number)")
    }
    values.append(.json, "\(number)")
    return values
  }
}

extension TemplateValues {
  /// Adds a value.
  mutating func append(_ kind: Kind, _ text: String) {
    var text = text
    text.withUTF8 { append(kind, $0) }
  }
}

extension [PushChunk] {
  /// The value of all of them, as one chunk of the queue.
  var queuedValue: [UInt8] {
    var gathering: RecipientGathering?
    for push in flatMap({ [Push]($0.pushes) }) {
      if gathering == nil { gathering = RecipientGathering(at: push) }
      gathering?.append(push)
    }
    return gathering?.encoded ?? []
  }

  /// One line for each push: number, list, channel, line, time, and token.
  var described: [String] {
    flatMap { chunk in
      chunk.pushes.map { push in
        let time = chunk.registered(at: push.index)?.description ?? "-"
        return
          "\(push.sequence) \(chunk.list) \(push.channel ?? "-") \(push.line) \(time) \(push.token)"
      }
    }
  }
}

extension ChunkClaim {
  /// A first claim that does not end.
  static func sample(_ chunk: UInt64 = 1) -> ChunkClaim {
    ChunkClaim(chunk: chunk, isFirst: true, lease: WorkerLease(until: .max))
  }
}
