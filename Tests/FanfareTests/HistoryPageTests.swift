import APNS
import Testing

@testable import History
@testable import PushModel
@testable import fanfare

@Suite("The page of the history")
struct HistoryPageTests {
  @Test("shows what servers and lists say, and never runs it")
  func hostile() {
    let push = entry(
      .rejected, Response(status: .badRequest, reason: hostileReason),
      list: "<img src=x onerror=alert(1)>\u{1b}[2J\u{202e}")
    let text = page([(push, run(environment: "\"><b>"))])
    #expect(!text.contains("alert(1)</script>") && !text.contains("<img") && !text.contains("<b>"))
    #expect(text.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;"))
    #expect(text.contains("&lt;img src=x onerror=alert(1)&gt;\\u{1b}[2J\\u{202e}"))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(text.matches(of: #/<script/#).count == 1)
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

  @Test("tells what is meant by a reason, and what to do")
  func reasons() throws {
    let text = page([(entry(.rejected, .dead), run()), (entry(.rejected, .wrongKey), run())])
    let info = try #require(Reason.unregistered.info)
    #expect(text.contains(info.meaning.html) && text.contains("<strong>To do:</strong>"))
  }

  @Test("has 2,000 rows at most, those that were not accepted first, and says so")
  func cut() {
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
    #expect(text.contains("<strong>2,000 of 3,000 pushes</strong>"))
    #expect(text.matches(of: #/<tr role="row" data-n/#).count == 2000)
  }

  @Test("tells a hundred reasons apart, and counts the others")
  func manyReasons() {
    var figures = PageFigures()
    for number in 1...150 {
      let answer = Response(status: .badRequest, reason: Reason(rawValue: "Made\(number)"))
      figures.add(entry(.rejected, answer), run())
    }
    #expect(figures.reasons.count == 100 && figures.otherReasons == 50)
  }

  @Test("of nothing says that there is nothing")
  func empty() { #expect(page([]).contains("The history holds nothing that fits.")) }

  static let shares: [(count: Int, total: Int, text: String)] = [
    (0, 0, "0 %"), (0, 9, "0 %"), (9, 9, "100 %"), (1, 3, "33.3 %"), (1, 100_000, "under 0.1 %"),
    (99_999, 100_000, "over 99.9 %"),
  ]

  @Test("never rounds to all or nothing", arguments: shares)
  func rounding(_ row: (count: Int, total: Int, text: String)) {
    #expect(share(row.count, of: row.total) == row.text)
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
