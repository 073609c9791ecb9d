internal import APNS
internal import PushModel

/// Pushes of the history as one page that needs nothing else: no network, no other file.
struct HistoryPage {
  let figures: PageFigures
  let showsTokens: Bool
  /// In seconds since 1970.
  let madeAt: Int64
  /// Names the style and the script of the page; nothing else in it may run.
  let nonce: String

  /// The document.
  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    \(head)
    </head>
    <body>
    <header>
    <h1>Pushes and their answers</h1>
    <p>\(period)</p>
    </header>
    <main>
    \(sections.joined(separator: "\n"))
    </main>
    <footer><p>Made by fanfare \(fanfareVersion) at \(time(madeAt)). Times are UTC.</p></footer>
    <script nonce="\(nonce)">\(pageScript)</script>
    </body>
    </html>

    """
  }

  /// Even if something of the data became part of the page, it could neither run nor load anything.
  private var policy: String {
    """
    default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; \
    base-uri 'none'; form-action 'none'
    """
  }

  private var head: String {
    """
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>Pushes and their answers</title>
    <style nonce="\(nonce)">\(pageStyle)</style>
    """
  }

  private var period: String {
    guard let range = figures.times.range else { return "The history holds nothing that fits." }
    return "From \(time(range.lowerBound)) to \(time(range.upperBound))."
  }

  private var sections: [String] {
    let charts = figures.total > 0 ? [outcomes, PageTimes(figures.times).html] : []
    let latency = figures.latencies.all.isEmpty ? [] : [PageLatencies(figures.latencies).html]
    let reasons = figures.reasons.isEmpty ? [] : [PageReasons(figures).html]
    let table = figures.total > 0 ? [PageTable(figures, showsTokens: showsTokens).html] : []
    return [summary] + charts + latency + reasons + table
  }

  private var summary: String {
    let accepted = figures.counts[.accepted] ?? 0
    let rows: [(String, String?)] = [
      ("Pushes", grouped(figures.total)), ("Runs", grouped(figures.runs.count)),
      ("Accepted", figures.total > 0 ? share(accepted, of: figures.total) : nil),
      ("Not accepted", grouped(figures.total - accepted)),
      ("Median latency", figures.latencies.percentile(0.5).map(milliseconds)),
    ]
    let cards = rows.compactMap { row in
      row.1.map { "<div><dt>\(row.0)</dt><dd>\($0)</dd></div>" }
    }
    return "<dl class=\"cards\">\(cards.joined())</dl>"
  }

  private var outcomes: String {
    let shown = Outcome.allCases.filter { figures.counts[$0] != nil }
    let rows = shown.map { outcome in
      let count = figures.counts[outcome] ?? 0
      return """
        <tr><th scope="row">\(swatch(outcome))\(outcome.words)</th><td>\(bar(count, outcome))</td>\
        <td class="n">\(grouped(count))</td><td class="n">\(share(count, of: figures.total))</td></tr>
        """
    }
    return """
      <section aria-labelledby="outcomes"><h2 id="outcomes">Outcomes</h2>
      \(outcomePatterns)
      <table class="bars"><thead><tr><th scope="col">Outcome</th>\
      <th scope="col"><span class="unseen">Bar</span></th><th scope="col" class="n">Pushes</th>\
      <th scope="col" class="n">Share</th></tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></section>
      """
  }

  private func bar(_ count: Int, _ outcome: Outcome) -> String {
    lengthBar(count, of: figures.counts.values.max() ?? 1, fill: fill(outcome))
  }
}

/// A moment in UTC, for people and for machines.
func time(_ seconds: Int64) -> String {
  let text = ISO8601.text(seconds: seconds)
  let words = text.dropLast().replacing("T")
  return "<time datetime=\"\(text)\">\(words)</time>"
}

/// A part of a whole in percent.
func share(_ count: Int, of total: Int) -> String {
  let percent = 100 * Double(count) / Double(max(total, 1))
  // What is not all, or not nothing, is not to look so.
  if count < total, percent > 99.95 { return "over 99.9 %" }
  if count > 0, percent < 0.05 { return "under 0.1 %" }
  return fixed(percent, decimals: percent == 0 || percent == 100 ? 0 : 1) + " %"
}

extension Substring {
  /// The text with a blank in place of a letter.
  fileprivate func replacing(_ letter: Character) -> String {
    String(map { $0 == letter ? " " : $0 })
  }
}
