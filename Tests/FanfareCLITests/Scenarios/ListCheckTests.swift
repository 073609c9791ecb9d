import APNS
import Foundation
import PushModel
import Recipients
import Testing

@Suite("A list that is checked")
struct ListCheckTests {
  @Test("is counted to its end, bad lines with number, text and reason")
  func counts() throws {
    let text = "# beta\n0a1b\n0A1B\nxyz\n\n0a1\n<0c 0d>\n"
    let list = try check(text)
    #expect(list.error == nil)
    #expect(list.tokens == 2)
    #expect(list.counts.lines == 5 && list.counts.duplicates == 1 && list.counts.badLines == 2)
    #expect(list.badLines.map(\.line) == [4, 6])
    #expect(list.badLines.map(\.text) == ["xyz", "0a1"])
    #expect(list.badLines.last?.error == .token(.oddLength(3)))
    #expect(try check(text, duplicates: .send).tokens == 3)
  }

  @Test("keeps no more bad lines than its limit, and of each no more than a token's length")
  func limit() throws {
    let line = String(repeating: "x", count: 500) + "\n"
    let list = try check(String(repeating: line, count: ListCheck.badLineLimit + 1))
    #expect(list.badLines.count == ListCheck.badLineLimit)
    #expect(list.counts.badLines == ListCheck.badLineLimit + 1)
    #expect(list.badLines.first?.text.count == DeviceToken.maximumDigits)
  }

  @Test("says why it cannot be read")
  func unreadable() throws {
    #expect(try check("# nobody\n").error?.fault == .empty)
    #expect(ListCheck(.file("/nonexistent/list.txt")).error?.fault == .missing)
    #expect(ListCheck(.file("/")).error?.fault == .isFolder)
  }

  private func check(
    _ text: String, duplicates: RecipientReader.Duplicates = .first
  ) throws -> ListCheck {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return ListCheck(.file(file.path), selection: RecipientSelection(duplicates: duplicates))
  }
}
