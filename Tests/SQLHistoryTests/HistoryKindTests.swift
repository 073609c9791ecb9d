import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Tests of a history")
struct HistoryKindTests {
  @Test("run over SQLite and over PostgreSQL, each over a history of its own", .needsPostgreSQL)
  func kinds() async throws {
    let test = try #require(Test.current)
    let paths = Mutex<[String]>([])
    try await AllHistories().provideScope(for: test, testCase: Test.Case.current) {
      let place = try HistoryReference(isBare: true)
      #expect(try !place.isMade)
      _ = try Database.open(place.path)
      #expect(try place.isMade && rows("SELECT count(*) FROM pushes", in: place.path) == ["0"])
      try #expect(HistoryReader(place.path).newestRun() == nil)
      paths.withLock { $0.append(place.path) }
    }
    let prefixes = paths.withLock { $0 }.map { $0.prefix(1) }
    #expect(prefixes == ["/", "p"])
  }
}
