import Foundation
import History
import JSONText
import Reporting
import Runs
import TestSupport
import Testing

@testable import HistoryCommands

@Suite("The rows of a list")
struct ListedRowsTests {
  private func list(
    _ count: Int, limit: Int = 0, skip: Int = 0, each: (ListedRows, String) -> Void = { _, _ in }
  ) throws -> (text: [Substring], rows: ListedRows) {
    try withTemporaryFolder { folder in
      let path = folder.file("list.txt")
      let output = Output(
        descriptor: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), environment: [:],
        closesDescriptor: true)
      var page = ListPage()
      (page.limit, page.skip) = (ListLimit(limit), ListLimit(skip))
      var rows = ListedRows(
        page, inTable: true, Teller(data: output, errors: output, showsUTF8: true))
      for number in 1...count {
        let push = entry(sequence: UInt64(number))
        let isWanted = try rows.add(
          DescribedPush(entry: push).jsonLine, push.row(showsToken: false))
        if !isWanted { break }
        each(rows, path)
      }
      rows.finish()
      output.flush()
      return (try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n"), rows)
    }
  }

  @Test("are printed while they come: a long list is never held as a whole")
  func streamed() throws {
    var most = 0
    var earliest = 0
    let count = 5 * ListedRows.block
    let (text, _) = try list(count) { rows, path in
      most = max(most, rows.held)
      let isPrinted = (try? Data(contentsOf: URL(fileURLWithPath: path)).isEmpty) == false
      if earliest == 0, isPrinted { earliest = rows.written }
    }
    #expect(most < ListedRows.block && 1...(2 * ListedRows.block) ~= earliest)
    #expect(text.count == count + 1 && text[0].hasPrefix("run  at "))
    #expect(text.dropFirst().allSatisfy { $0.contains("accepted") && $0.count == text[1].count })
  }

  @Test("stop where the page ends, and know whether more follow")
  func page() throws {
    let (text, rows) = try list(30, limit: 20, skip: 5)
    #expect(text.count == 21 && rows.written == 20 && rows.isMore)
    #expect(text[1].hasSuffix("000000000006") && text[20].hasSuffix("000000000019"))
    let (all, whole) = try list(20, limit: 20)
    #expect(all.count == 21 && !whole.isMore)
    let (none, past) = try list(3, limit: 20, skip: 5)
    #expect(none.isEmpty && past.passed == 3 && !past.isMore)
  }
}
