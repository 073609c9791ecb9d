internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting

/// The figures of result files, with a histogram of latencies.
struct ResultsReport {
  let files: [String]
  let figures: ResultFigures
  /// The width of a bar in columns, and its character.
  var bar = (width: 40, block: "#")

  var report: Report {
    Report(
      parts: head + outcomes + reasons + speed + latencies + advice,
      exitCode: figures.brokenLines > 0 ? .failure : .success)
  }

  private var head: [Report.Part] {
    let names = files.map { $0 == "-" ? "standard input" : $0 }
    return [
      .fact(
        files.count == 1 ? "file" : "files", "files", .texts(files),
        shown: StyledText(names.joined(separator: ", "))),
      .json("lines", .number(figures.lines)),
      count("broken lines", "brokenLines", figures.brokenLines, .doubtful),
      count("replaced by later lines", "replaced", figures.replaced, .plain),
      .fact("pushes", "total", .number(figures.page.total)),
    ]
  }

  /// A count that is hidden from people if it is zero.
  private func count(
    _ name: StyledText, _ key: String, _ count: Int, _ tone: StyledText.Tone
  ) -> Report.Part {
    .fact(name, key, .number(count), shown: count > 0 ? StyledText(grouped(count), tone) : nil)
  }

  private var outcomes: [Report.Part] {
    let all = figures.page.all
    return all.outcomes { outcome, count in
      let share = percent(Double(count) / Double(max(all.tally.total, 1)))
      let isShown = count > 0 || outcome == .accepted
      return (
        StyledText(outcome.words),
        isShown ? StyledText("\(grouped(count))  \(share)", outcome.tone) : nil
      )
    } + [.json("acceptance", .decimal(all.acceptance))]
  }

  private var reasons: [Report.Part] {
    let reasons = figures.page.reasons
    let others = figures.page.otherReasons
    return [
      .text("reasons", reasons.isEmpty ? nil : ""),
      .object(
        "reasons", reasons.map { .fact("  \($0.name)", $0.name, .number($0.count)) }),
      .text("  other reasons", others > 0 ? StyledText(grouped(others)) : nil),
    ]
  }

  private var speed: [Report.Part] {
    let time = figures.time
    let seconds = time.map { Double($0.upperBound - $0.lowerBound) / 1000 }
    let rate = seconds.flatMap {
      $0 > 0 && !figures.hasPause ? Double(figures.page.all.latency.total) / $0 : nil
    }
    let known = figures.page.all.latency.percentiles.compactMap { name, value in
      value.map { "\(name) \(milliseconds($0))" }
    }
    return [
      .fact(
        "first request", "began", .number(time?.lowerBound),
        shown: time.map(\.lowerBound).map(moment)),
      .fact(
        "last answer", "ended", .number(time?.upperBound), shown: time.map(\.upperBound).map(moment)
      ),
      .json("seconds", .decimal(seconds)),
      .fact("speed", "pushesPerSecond", .decimal(rate), shown: words(of: rate, over: seconds)),
      .text("latency", known.isEmpty ? nil : StyledText(known.joined(separator: ", "))),
      figures.page.all.latencies(),
    ]
  }

  private func words(of rate: Double?, over seconds: Double?) -> StyledText? {
    if figures.hasPause {
      return "not known: nothing was sent for over a minute, as before a run is resumed"
    }
    return rate.map {
      "\(grouped(Int($0.rounded()))) pushes/s over \(fixed(seconds ?? 0, decimals: 2)) s"
    }
  }

  private var latencies: [Report.Part] {
    let bars = figures.page.latencies.all
    let most = bars.map(\.count).max() ?? 0
    let rows = bars.map { name, count -> [Report.Part] in
      [
        .text("latency", StyledText(name)),
        .fact(.init(name: "answers", shown: StyledText(grouped(count)), value: .number(count))),
        .text("", StyledText(blocks(count, most))),
      ]
    }
    let spans = figures.page.latencies.spans.map { span -> JSON in
      ["from": .number(span.from), "below": .number(span.below), "count": .number(span.count)]
    }
    return [.json("latencies", JSON(.array(spans)))]
      + (rows.isEmpty ? [] : [.lines([""]), .table(nil, rows)])
  }

  /// Anything but zero gets at least one block.
  private func blocks(_ count: Int, _ most: Int) -> String {
    let width = Double(count) / Double(max(1, most)) * Double(bar.width)
    return String(repeating: bar.block, count: count > 0 ? max(1, Int(width.rounded())) : 0)
  }

  /// The meaning of the most frequent refusal, and its fix.
  private var advice: [Report.Part] {
    guard let first = figures.page.reasons.first, let reason = first.reason, reason.info != nil
    else {
      return []
    }
    return [.lines([""] + reason.advice(first.facts))]
  }
}
