internal import APNS
internal import History
package import JSONText
internal import PlainText
internal import PushModel
package import Reporting
internal import Runs

/// The figures of result files, with a histogram of latencies.
struct ResultsReport {
  let files: [String]
  let figures: ResultFigures
  /// The width of a bar in columns, and its character.
  var bar = (width: 40, block: "#")

  var report: Report {
    Report(
      parts: Self.fields.parts(of: self), exitCode: figures.brokenLines > 0 ? .failure : .success)
  }

  fileprivate static let fields = head + outcomes + reasons + times + speed

  private static let head: [ReportField<Self>] = [
    .always("files", "The files, in order; '-' is standard input.") { $0.files },
    .people {
      let names = $0.files.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
      return [.text($0.files.count == 1 ? "file" : "files", StyledText(names))]
    },
    .always("lines", "Lines read, without blank ones and header rows.") { $0.figures.lines },
    .always("brokenLines", "Lines that are not a result.") { $0.figures.brokenLines }
      .label("broken lines") { Self.words(for: $0.figures.brokenLines, .doubtful) },
    .always("replaced", "Lines that a later one with their apns-id replaces.") {
      $0.figures.replaced
    }.label("replaced by later lines") { Self.words(for: $0.figures.replaced) },
    .always("total", "Pushes: the sum of the six outcomes.") { $0.figures.page.total }
      .label("pushes"),
  ]

  /// A count that is hidden from people if it is zero.
  private static func words(
    for count: Int, _ tone: StyledText.Tone = .plain
  ) -> StyledText? {
    count > 0 ? StyledText(grouped(count), tone) : nil
  }

  private static let outcomes = ReportField<Self>.outcomes({ $0.figures.page.all.tally }) {
    let share = percent(Double($2) / Double(max($0.figures.page.all.tally.total, 1)))
    return $2 > 0 || $1 == .accepted ? StyledText("\(grouped($2))  \(share)", $1.tone) : nil
  }

  private static let reasons: [ReportField<Self>] = [
    .always("acceptance", "The share that was accepted, from 0 to 1.") {
      $0.figures.page.all.acceptance
    }, .people { [.text("reasons", $0.figures.page.reasons.isEmpty ? nil : "")] },
    .reasons { $0.figures.page.reasons.map { ($0.name, $0.count) } },
    .people { [.text("  other reasons", words(for: $0.figures.page.otherReasons))] },
  ]

  private static let times: [ReportField<Self>] = [
    .always("began", "The first request, in milliseconds since 1970.") {
      $0.figures.time?.lowerBound
    }.label("first request") { $0.figures.time.map { moment($0.lowerBound) } },
    .always("ended", "The last answer, in milliseconds since 1970.") {
      $0.figures.time?.upperBound
    }.label("last answer") { $0.figures.time.map { moment($0.upperBound) } },
    .always("seconds", "From the first request to the last answer.") { $0.seconds },
    .always(
      "pushesPerSecond",
      "Answers, divided by the seconds; null if nothing was sent for a minute of them."
    ) { $0.rate }.label("speed") { $0.words(of: $0.rate, over: $0.seconds) },
  ]

  private static let speed: [ReportField<Self>] = [
    .people {
      let known = $0.figures.page.all.latency.percentiles.compactMap { name, value in
        value.map { "\(name) \(milliseconds($0))" }
      }
      return [.text("latency", known.isEmpty ? nil : StyledText(known.joined(separator: ", ")))]
    }, .latency { $0.figures.page.all.latency.percentiles.map(\.value) },
    .always("latencies", "How many answers took how long.") {
      $0.figures.page.latencies.spans.map(ToldSpan.init)
    }, .people { $0.latencies + $0.advice },
  ]

  private var seconds: Double? {
    figures.time.map { Double($0.upperBound - $0.lowerBound) / 1000 }
  }

  private var rate: Double? {
    seconds.flatMap {
      $0 > 0 && !figures.hasPause ? Double(figures.page.all.latency.total) / $0 : nil
    }
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
    return rows.isEmpty ? [] : [.lines([""]), .table(nil, rows)]
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

/// The answers that took about as long, in JSON.
private struct ToldSpan: JSONDescribed {
  let span: (from: Int, below: Int?, count: Int)

  static let fields: [JSONField<Self>] = [
    .always("from", "At least so many milliseconds.") { $0.span.from },
    .always("below", "Less than so many; null for any.") { $0.span.below },
    .always("count", "The answers.") { $0.span.count },
  ]
}

extension Outputs {
  /// The figures of result files.
  package static let report = ResultsReport.fields.keys()
}
