/// How long answers took.
struct PageLatencies {
  let bars: LatencyBars

  init(_ bars: LatencyBars) { self.bars = bars }

  /// The section.
  var html: String {
    let most = bars.all.map(\.count).max() ?? 1
    let rows = bars.all.map { bar in
      """
      <tr><th scope="row">\(bar.name)</th><td>\(lengthBar(bar.count, of: most, fill: "currentColor"))\
      </td><td class="n">\(grouped(bar.count))</td></tr>
      """
    }
    return """
      <section aria-labelledby="latency"><h2 id="latency">Latency</h2>
      <p>From a push's last request to its answer: \(percentiles).</p>
      <table class="bars latency"><thead><tr><th scope="col">It took</th>\
      <th scope="col"><span class="unseen">Bar</span></th>\
      <th scope="col" class="n">Answers</th></tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></section>
      """
  }

  private var percentiles: String {
    let shares = [("half within", 0.5), ("95 % within", 0.95), ("99 % within", 0.99)]
    return shares.compactMap { name, share in
      bars.percentile(share).map { "\(name) \(milliseconds($0))" }
    }.joined(separator: ", ")
  }
}
