import APNS
import Foundation
import History
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("The list of a run that sends pushes again", .overAllHistories)
struct ResentListTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// Pushes of a run, the third of which has a time of registration.
  private func entries(_ count: Int) throws -> [PushEntry] {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.claim(upTo: UInt64(count))
    try ledger.record(try Push.samples(count).map { $0.result(.rejected, .gone) }, now: dawn)
    try ledger.finishAll(count)
    let database = try Database.open(path)
    try database.execute("UPDATE results SET registered = 1700000000 WHERE id & 65535 = 3")
    var entries: [PushEntry] = []
    try HistoryReader(path).forEachPush(HistoryFilter(), newestFirst: false) { push in
      entries.append(push)
      return true
    }
    return entries
  }

  private var number: RunNumber {
    get throws { try #require(RunNumber(rawValue: 1)) }
  }

  private func reading(
    _ list: ResentList, _ rendering: (any RowRendering)? = nil
  ) throws -> ListReading {
    try ListReading(
      [.resent(list)], selection: RecipientSelection(duplicates: .send), rendering: rendering)
  }

  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: place.folder.path).filter {
        !$0.hasPrefix("history.sqlite") || $0.contains("list")
      }
    }
  }

  @Test("has no name until it gets one, and reads the same before and after")
  func places() throws {
    let entries = try entries(3000)
    var writer = ResentListWriter(of: try number, scratchFolder: place.folder.path)
    for entry in entries where entry.sequence % 2 == 1 { writer.add(push: entry) }
    let list = try writer.finish()
    #expect(try list.lineage?.count == 1500 && files == [])
    let first = try reading(list)
    #expect(first.rows.prefix(2) == ["run 1:1 \(tokenText(0))", "run 1:3 \(tokenText(2))"])
    #expect(first.counts == .init(lines: 1500))
    #expect(first.registered.prefix(2) == [nil, 1_700_000_000])
    #expect(try reading(list).rows == first.rows)
    let copied = place.folder.path(of: "history.sqlite.run-2.list-1")
    list.spool?.keep(at: copied)
    #expect(
      try files.sorted() == ["history.sqlite.run-2.list-1", "history.sqlite.run-2.list-1.print"])
    let copy = try #require(ListCopy(of: "run 1", at: copied))
    #expect(copy.isWhole)
    #expect(try reading(ResentList(copy)).rows == first.rows)
    #expect(try reading(list).rows == first.rows)
  }

  static let payloads = [
    #"{"aps":{"alert":"Hi \u00e9 é \/ \\ \" 😀","badge":1.0e2}}"#, "{ \"a\" :\n\t1 }", "no json",
  ]

  @Test("gives each payload back byte for byte", arguments: payloads)
  func bytes(text: String) throws {
    let entries = try entries(2)
    var writer = ResentListWriter(of: try number, scratchFolder: place.folder.path)
    writer.add(push: entries[0], payload: Array(text.utf8))
    writer.add(push: entries[1])
    writer.add(push: entries[0], payload: Array(text.utf8))
    let reading = try reading(try writer.finish(), PayloadRows())
    #expect(reading.payloads == [text, "", text])
    #expect(reading.problems == [nil, "Its row did not fill the template.", nil])
  }

  @Test("of a channel has no device tokens, and is read again for the same channel")
  func channel() throws {
    var writer = ResentListWriter(of: try number, channel: "QUJD", scratchFolder: place.folder.path)
    writer.add(token: "", sequence: 1, registered: nil)
    let list = try writer.finish()
    #expect(RecipientSource.resent(list).channel == "QUJD")
    #expect(try reading(list).rows == ["run 1:1 "])
    let copied = place.folder.path(of: "history.sqlite.run-2.list-1")
    list.spool?.keep(at: copied)
    let copy = ResentList(try #require(ListCopy(of: "run 1", at: copied)), channel: "QUJD")
    let found = try reading(copy)
    #expect(found.rows == ["run 1:1 "] && found.counts == .init(lines: 1))
  }

  @Test("that cannot be written says why")
  func failure() throws {
    let entries = try entries(1)
    var writer = ResentListWriter(of: try number, scratchFolder: place.folder.path(of: "nowhere"))
    writer.add(push: entries[0])
    #expect(throws: ResentListWriter.Failed(errno: ENOENT)) { try writer.finish() }
  }
}

extension ResentListWriter {
  fileprivate mutating func add(push: PushEntry, payload: [UInt8]? = nil) {
    add(
      token: push.token, sequence: push.sequence, registered: push.registered, payload: payload)
  }
}
