import APNS
import Foundation
import History
import JSONText
import Reporting
import Runs
import Testing

@testable import HistoryCommands
@testable import PushModel

@Suite("The page of the history")
struct HistoryPageTests {
  @Test("shows what servers and lists say, and never runs it")
  func hostile() throws {
    let push = entry(
      .rejected, Response(status: .badRequest, reason: hostileReason),
      list: "<img src=x onerror=alert(1)>\u{1b}[2J\u{202e}")
    let text = page([(push, run(environment: "\"><b>"))])
    #expect(!text.contains("alert(1)</script>") && !text.contains("<img") && !text.contains("<b>"))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(text.matches(of: #/<script/#).count == 2 && text.matches(of: #/<\/script/#).count == 2)
    let data = try data(of: text)
    #expect(data["reasons"]?[0]?["name"]?.string == hostileReason?.rawValue)
    let cells = data["rows"]?[0]?["cells"]?.array?.compactMap(\.string) ?? []
    #expect(cells.contains("<img src=x onerror=alert(1)>\\u{1b}[2J\\u{202e}:2"))
    #expect(cells.contains("\"><b>"))
  }

  @Test("lets nothing run or load but its own script and style")
  func policy() {
    let text = page([(entry(), run())])
    #expect(
      text.contains("content=\"default-src 'none'; style-src 'nonce-abc'; script-src 'nonce-abc';"))
    #expect(text.contains("<script nonce=\"abc\">") && text.contains("<style nonce=\"abc\">"))
    #expect(!text.contains("unsafe-inline") && !text.contains(" style=") && !text.contains("//cdn"))
    let links = text.matches(of: #/(href|src|action|url)\s*[=(]\s*["']?(?<to>[^"')]*)/#)
    #expect(links.allSatisfy { $0.output.to.hasPrefix("#") })
  }

  @Test("shows the ends of device tokens, or all of them when told so")
  func tokens() {
    #expect(!page([(entry(), run())]).contains(sampleToken))
    #expect(page([(entry(), run())]).contains("…0a1b2c3d"))
    #expect(page([(entry(), run())], showsTokens: true).contains(sampleToken))
  }

  @Test("names app, notification, environment and run, and no more than three of each")
  func about() throws {
    let named = try data(of: page([(entry(), run())]))["about"]
    #expect(
      named == [
        ["App", ["com.example.shop"]], ["Notification", ["It's time (alert)"]],
        ["Environment", ["sandbox"]], ["Run", ["1, 2023-11-14T22:13:20Z"]],
      ])
    let runs = (1...5).map { (entry(run: $0), run($0, environment: "https://127.0.0.1:\($0)")) }
    let several = try data(of: page(runs))["about"]
    #expect(several?[0] == ["App", ["com.example.shop"]])
    #expect(several?[2]?[0] == "Environments" && several?[2]?[1]?.array?.count == 4)
    #expect(several?[3]?[1]?[3] == "and others")
    #expect(try data(of: page([]))["about"] == [])
  }

  @Test("breaks no number in the middle")
  func whole() throws {
    let pageStyle = try #require(Embedded.web.first { $0.name == "page.css" }).text
    for rule in [".n {", ".short {", "time {", ".cards dd {", ".pushes td:nth-child(5)"] {
      let parts = pageStyle.components(separatedBy: rule)
      let rest = parts.dropFirst().first?.prefix { $0 != "}" } ?? ""
      #expect(rest.contains("white-space: nowrap"), "\(rule)")
    }
  }

  @Test("tells what is meant by a reason, and what to do")
  func reasons() throws {
    let pushes = [entry(.rejected, .dead), entry(.rejected, .wrongKey)]
    let reasons = try data(of: page(pushes.map { ($0, run()) }))["reasons"]?.array ?? []
    let info = try #require(Reason.unregistered.info)
    #expect(reasons.count == 2 && reasons.contains { $0["meaning"]?.string == info.meaning })
    #expect(reasons.allSatisfy { $0["fix"]?.string?.isEmpty == false })
  }

  @Test("says why rows were skipped, asking for them in the order of the list")
  func skipped() throws {
    var figures = PageFigures()
    for number in [3, 2] as [UInt64] {
      figures.add(entry(.skipped, nil, sequence: number, attempts: 0), run())
    }
    figures.add(entry(.rejected, .dead), run())
    var asked: [UInt64] = []
    figures.explainSkipped { push in
      asked.append(push.sequence)
      return ["Row \(push.sequence) has no name."]
    }
    #expect(asked == [2, 3])
    let text = HistoryPage(figures: figures, showsTokens: false, madeAt: 0, nonce: "abc").text
    let answers = try data(of: text)["rows"]?.array?.map { $0["cells"]?[0]?.string }
    #expect(answers == ["Row 3 has no name.", "Row 2 has no name.", "410 Unregistered"])
  }

  @Test("has 2,000 rows at most, those that were not accepted first, and says so")
  func cut() throws {
    var figures = PageFigures()
    for number in 1...3000 {
      let isGood = number % 3 > 0
      figures.add(
        entry(isGood ? .accepted : .rejected, isGood ? .good : .dead, sequence: UInt64(number)),
        run())
    }
    #expect(figures.rows.count == 2000 && figures.total == 3000)
    #expect(figures.rows.prefix(1000).allSatisfy { $0.push.outcome == .rejected })
    #expect(figures.rows.dropFirst(1000).allSatisfy { $0.push.outcome == .accepted })
    let text = HistoryPage(figures: figures, showsTokens: false, madeAt: 0, nonce: "abc").text
    let data = try data(of: text)
    #expect(data["total"] == 3000 && data["rows"]?.array?.count == 2000)
  }

  @Test("has every row up to 2,000", arguments: [(2000, 2000), (2001, 2000)])
  func limit(_ row: (total: Int, shown: Int)) throws {
    var figures = PageFigures()
    for number in 1...row.total {
      figures.add(entry(.accepted, .good, sequence: UInt64(number)), run())
    }
    #expect(figures.rows.count == row.shown && figures.total == row.total)
  }

  @Test("tells a hundred reasons apart, and counts the others")
  func manyReasons() {
    var figures = PageFigures()
    for number in 1...150 {
      let answer = Response(status: .badRequest, reason: Reason(rawValue: "Made\(number)"))
      figures.add(entry(.rejected, answer), run())
    }
    #expect(figures.reasons.count == 100 && figures.otherReasons == 50)
    // What was known before is told apart for ever.
    let known = Response(status: .badRequest, reason: Reason(rawValue: "Made100"))
    figures.add(entry(.rejected, known), run())
    #expect(figures.reasons.first?.name == "Made100" && figures.reasons.first?.count == 2)
    #expect(figures.reasons.count == 100 && figures.otherReasons == 50)
  }

  @Test("of nothing says that there is nothing")
  func empty() throws {
    let text = page([])
    #expect(try data(of: text)["total"] == 0)
    #expect(text.contains("No pushes in the history match."))
  }

  @Test("says what its figures lack")
  func notes() throws {
    let notes = ["Run 1 was killed.\u{1b}"]
    let text = HistoryPage(
      figures: PageFigures(), showsTokens: false, madeAt: 0, nonce: "abc", notes: notes
    ).text
    #expect(try data(of: text)["notes"]?[0] == "Run 1 was killed.\\u{1b}")
    #expect(text.contains("<div id=\"notes\" hidden></div>") && text.contains("fill(\"notes\""))
  }

  @Test("says without a script how to see the figures")
  func noScript() { #expect(page([]).contains("<noscript><p>This page needs JavaScript")) }

  @Test("draws bars of the outcomes that came, and a row of cells for each column")
  func figures() throws {
    let data = try data(of: page([(entry(), run()), (entry(.rejected, .dead), run())]))
    let outcomes = data["outcomes"]?.array ?? []
    #expect(outcomes.map { $0["name"]?.string } == ["accepted", "rejected"])
    #expect(outcomes.map { $0["share"]?.string } == ["50.0%", "50.0%"])
    let counts = data["bars"]?[0]?["counts"]?.array ?? []
    #expect(counts.compactMap { $0.number?.int } == [1, 1])
    let rows = data["rows"]?.array ?? []
    #expect(rows.compactMap { $0["outcome"]?.number?.int } == [1, 0])
    #expect(data["rows"]?[0]?["cells"]?[0] == "410 Unregistered")
    #expect(rows.allSatisfy { $0["cells"]?.array?.count == 7 })
  }

  static let shares: [(share: Double, text: String)] = [
    (0, "0.0%"), (1, "100.0%"), (1 / 3, "33.3%"), (0.00001, "<0.1%"), (0.99999, ">99.9%"),
  ]

  @Test("never rounds to all or nothing", arguments: shares)
  func rounding(_ row: (share: Double, text: String)) {
    #expect(percent(row.share) == row.text)
  }

  /// What the script of a page draws.
  private func data(of page: String) throws -> JSON {
    let data = try #require(
      page.firstMatch(of: #/<script type="application\/json" id="data">(?<json>[^\n]*)<\/script>/#))
    return try JSONReader().read(Array(data.json.utf8))
  }

  private func page(_ pushes: [(PushEntry, StoredRun)], showsTokens: Bool = false) -> String {
    var figures = PageFigures()
    for (push, run) in pushes { figures.add(push, run) }
    return HistoryPage(
      figures: figures, showsTokens: showsTokens, madeAt: presentSecond, nonce: "abc"
    ).text
  }
}

@Suite("The bars of the page")
struct PageBarsTests {
  static let spans: [(seconds: Int64, width: Int64)] = [
    (0, 1), (40, 1), (60, 5), (3600, 300), (86_400, 3600), (31 * 86_400, 86_400),
    (3650 * 86_400, 31_449_600),
  ]

  @Test("grow wider as time gets longer, from either end, and lose nothing", arguments: spans)
  func times(_ row: (seconds: Int64, width: Int64)) {
    for backwards in [false, true] {
      var bars = TimeBars()
      for step in 0...100 {
        let passed = row.seconds * Int64(backwards ? 100 - step : step) / 100
        bars.add(step % 2 == 0 ? .accepted : .rejected, at: (presentSecond + passed) * 1000)
      }
      #expect(bars.width == row.width && 1...TimeBars.most ~= bars.all.count)
      #expect(bars.all.reduce(0) { $0 + ($1.bar[.accepted] ?? 0) } == 51)
      #expect(bars.all.reduce(0) { $0 + ($1.bar[.rejected] ?? 0) } == 50)
    }
  }

  @Test("of latencies go from the first to the last that count something")
  func latencies() {
    var bars = LatencyBars()
    for latency in [1500, 1999, 2000, 12_000, 40_000_000] { bars.add(microseconds: latency) }
    #expect(bars.all.first?.name == "1 ms to 2 ms" && bars.all.first?.count == 2)
    #expect(bars.all.last?.name == "over 30 s" && bars.all.map(\.count).reduce(0, +) == 5)
  }
}

extension JSON {
  /// An element of an array.
  fileprivate subscript(index: Int) -> JSON? {
    array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
  }
}
