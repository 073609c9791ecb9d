internal import APNS
internal import History
package import JSONText
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

  fileprivate static let fields: [OutputField<Self>] = [
    .always("files", \.files, "The files, in order; '-' is standard input."),
    .people {
      let names = $0.files.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
      return [.text($0.files.count == 1 ? "file" : "files", StyledText(names))]
    }, .always("lines", \.figures.lines, "Lines read, without blank ones and header rows."),
    .always(
      "brokenLines", \.figures.brokenLines, "Lines that are not a result.", as: "broken lines"
    ) { words(for: $0.figures.brokenLines, .doubtful) },
    .always(
      "replaced", \.figures.replaced, "Lines that a later one with their apns-id replaces.",
      as: "replaced by later lines", { words(for: $0.figures.replaced) }),
    .always("total", \.figures.page.total, "Pushes: the sum of the six outcomes.", as: "pushes"),
    .outcomes(\.figures.page.all.tally) {
      let share = percent(Double($2) / Double(max($0.figures.page.all.tally.total, 1)))
      return $2 > 0 || $1 == .accepted ? StyledText("\(grouped($2))  \(share)", $1.tone) : nil
    },
    .always(
      "acceptance", \.figures.page.all.acceptance, "The share that was accepted, from 0 to 1."),
    .people { [.text("reasons", $0.figures.page.reasons.isEmpty ? nil : "")] },
    .reasons { $0.figures.page.reasons.map { ($0.name, $0.count) } },
    .people { [.text("  other reasons", words(for: $0.figures.page.otherReasons))] },
    .always(
      "began", \.figures.time?.lowerBound, "The first request, in milliseconds since 1970.",
      as: "first request", { $0.figures.time.map { moment($0.lowerBound) } }),
    .always(
      "ended", \.figures.time?.upperBound, "The last answer, in milliseconds since 1970.",
      as: "last answer", { $0.figures.time.map { moment($0.upperBound) } }),
    .always("seconds", \.seconds, "From the first request to the last answer."),
    .always(
      "pushesPerSecond", \.rate,
      "Answers, divided by the seconds; null if nothing was sent for a minute of them.", as: "speed"
    ) { $0.words(of: $0.rate, over: $0.seconds) },
    .people {
      let known = $0.figures.page.all.latency.percentiles.compactMap { name, value in
        value.map { "\(name) \(milliseconds($0))" }
      }
      return [.text("latency", known.isEmpty ? nil : StyledText(known.joined(separator: ", ")))]
    }, .latency({ $0.figures.page.all.latency.percentiles.map(\.value) }),
    .list(
      "latencies", { $0.figures.page.latencies.spans }, "How many answers took how long.",
      [
        .always("from", { $0.from }, "At least so many milliseconds."),
        .always("below", { $0.below }, "Less than so many; null for any."),
        .always("count", { $0.count }, "The answers."),
      ]), .people { $0.latencies + $0.advice },
  ]

  /// A count that is hidden from people if it is zero.
  private static func words(for count: Int, _ tone: StyledText.Tone = .plain) -> StyledText? {
    count > 0 ? StyledText(grouped(count), tone) : nil
  }

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
    return ([""] + reason.advice(first.facts)).map { .paragraph($0) }
  }
}

extension Outputs {
  /// The figures of result files.
  package static let report = ResultsReport.fields.keys()
}
