import Foundation
import TestSupport
import Testing

@testable import Delivery
@testable import FanfareApp
@testable import PushModel

@Suite("A file of results")
struct ResultFileTests {
  @Test("holds each batch as soon as it was written", arguments: [("r.jsonl", 1), ("r.csv", 2)])
  func batches(name: String, lines: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder.file(name)
      var file = try ResultFile(path, continues: false, context())
      let batch = results([(.accepted, .good)])
      let id = report(batch).apnsID
      for count in 0...1 {
        file.write(batch, apnsID: id)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == lines + count)
      }
      #expect(file.failure == nil)
    }
  }
}
