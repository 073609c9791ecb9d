package import APNS
package import JSONText
package import PushModel
package import Reporting

/// Notes on a run that has just ended besides its figures, for people only.
package struct FigureNotes: Sendable {
  /// Where the run went, if a named device is for another environment; nil otherwise.
  var place: String?
  /// The time when the first of the deferred pushes is due, in milliseconds since 1970 UTC; nil when
  /// that is not told.
  var due: Int64?
  /// Pushes that expired before they were sent.
  var expired = 0
  /// The time in which nothing was sent because answers asked for it, in seconds.
  var pausedSeconds = 0.0
  /// True when the number of connections is told of any run.
  var isVerbose = false
}

/// The summary of a run that has just ended, or of one in the history.
package struct ToldFigures: JSONDescribed, Sendable {
  let figures: RunFigures
  /// The run's number; nil when it is not in the history.
  let run: Int64?
  /// The reasons with their counts, the most frequent first.
  let reasons: [ReasonCount]
  var notes = FigureNotes()
  /// The only push, and what most likely caused its refusal.
  var push: OnlyPush?
  /// The answers of the environments that were asked; none where it was known where to send.
  var asked: [EnvironmentAnswer] = []

  package init(_ figures: RunFigures, of run: Int64?, _ reasons: [ReasonCount]) {
    (self.figures, self.run, self.reasons) = (figures, run, reasons)
  }

  /// The same with the only push of the run, and the answers of the environments that were asked.
  package func with(_ push: OnlyPush?, _ asked: [EnvironmentAnswer]) -> Self {
    var figures = self
    (figures.push, figures.asked) = (push, asked)
    return figures
  }

  package static let fields: [OutputField<Self>] = [
    .always("run", \.run, "The run's number in the history."),
    .always(
      "environment", \.figures.environment,
      "production, sandbox, emulator, inbox, or the server's URL.", as: "environment"
    ) { .verbatim($0.notes.place ?? $0.figures.environment) },
    .always(
      "lines", \.figures.recipients.lines,
      "Lines read, without blank ones, comments and header rows."),
    .always("total", \.figures.outcomes.total, "Pushes: the sum of the six outcomes."),
    .outcomes(\.figures.outcomes, of: [.accepted, .rejected, .skipped], words: words),
    .people { told in
      let count = told.notes.expired
      let shown = count > 0 ? told.figures.ofThisPass("\(grouped(count))") : nil
      return [.text("  expired before they were sent", shown)]
    }, .outcomes(\.figures.outcomes, of: [.deferred, .unknown, .notAttempted], words: words),
    .all(RecipientCounts.fields(badLines: .doubtful)) { $0.figures.recipients },
    .always("unread", \.figures.unread, "What a stopped run did not read.", as: "not read") {
      $0.figures.unread.map { StyledText($0.words, .doubtful) }
    }, .always("pass", \.figures.pass, "Which pass of the run this is, from 1."),
    .people {
      let scope: StyledText? = $0.figures.pass == 1 ? "" : "in this pass"
      return [.text("reasons", $0.reasons.isEmpty ? nil : scope)]
    }, .reasons { $0.reasons.map { ($0.name, $0.count) } },
    .always(
      "resentInDoubt", \.figures.resentInDoubt,
      "Pushes resent although the first may have arrived.", as: "sent twice?"
    ) {
      let count = $0.figures.resentInDoubt
      return count > 0 ? $0.figures.ofThisPass("\("at most \(grouped(count))", .doubtful)") : nil
    }, .always("seconds", \.figures.seconds, "From the start to the end of the run."),
    .always(
      "pushesPerSecond", \.figures.pushesPerSecond, "Pushes sent, divided by the seconds.",
      as: "speed", { $0.figures.speedWords }),
    .people {
      let (pause, words) = ($0.notes.pausedSeconds, $0.figures.latencyWords)
      let time = "\(fixed(pause, decimals: 2)) s, for Retry-After"
      return [
        .text("paused", pause >= 0.01 ? $0.figures.ofThisPass("\(time)") : nil),
        .text("latency", words.map(StyledText.init).map($0.figures.ofThisPass)),
      ]
    }, .latency(\.figures.shares),
    .always(
      "connections", \.figures.connections?.most,
      "The most connections in use at once; null for none.", as: "connections"
    ) { $0.figures.connectionWords(isVerbose: $0.notes.isVerbose) },
    .always("connectionsLimit", \.figures.connections?.limit, "Why there were no more."),
    .sometimes(
      "push", \.push?.line, "The result line, if the total is 1.", .object(Outputs.result)),
    .sometimes("cause", \.push?.cause, "The likeliest cause, of one push that was refused."),
    .sometimes(
      "asked", { $0.asked.isEmpty ? nil : $0.asked }, "With --env auto, each environment's answer."),
  ]

  private static func words(
    of told: ToldFigures, _ outcome: Outcome, _ count: Int
  ) -> StyledText? {
    let due = outcome == .deferred ? told.notes.due : nil
    let time = due.map { ", due from \(ISO8601.text(seconds: $0 / 1000))" } ?? ""
    return count > 0 || outcome == .accepted ? "\(grouped(count), outcome.tone)\(time)" : nil
  }
}

extension Outputs {
  /// A summary: `--json` of `send`, `resume` and `history resend`.
  package static let summary = figures + SummaryReport.passFields.keys()

  /// The figures of a run, as the history keeps them.
  package static let figures = ToldFigures.fields.keys()
}

extension RunFigures {
  /// A figure of this pass, labelled so where others are of the whole run.
  fileprivate func ofThisPass(_ figure: StyledText) -> StyledText {
    pass == 1 ? figure : "\(figure) in this pass"
  }

  fileprivate func connectionWords(isVerbose: Bool) -> StyledText? {
    connections.flatMap { isVerbose || $0.isNotable ? ofThisPass($0.words) : nil }
  }

  fileprivate var speedWords: StyledText? {
    let rate = grouped(Int(pushesPerSecond.rounded()))
    let time = fixed(seconds, decimals: 2)
    return outcomes.total > 0 ? ofThisPass("\(rate) pushes/s over \(time) s") : nil
  }

  /// `p50 0.4 ms, p95 1.2 ms, p99 3.5 ms`; nil when nothing was answered.
  package var latencyWords: String? {
    latency.map { _ in
      zip(["p50", "p95", "p99"], shares).map { "\($0) \($1.map(milliseconds) ?? "")" }
        .joined(separator: ", ")
    }
  }

  fileprivate var shares: [Double?] {
    [latency?.p50, latency?.p95, latency?.p99].map { $0.map { Double($0) / 1000 } }
  }
}

extension OutcomeTally: JSONDescribed {
  package static let fields: [OutputField<Self>] = [
    .always("total", \.total, "Pushes of this pass: the sum of the six outcomes."),
    .outcomes { $0 },
  ]
}

extension EnvironmentAnswer: JSONDescribed {
  package static let fields: [OutputField<Self>] = [
    .always("environment", \.environment, "The environment that was asked."),
    .always("status", \.status, "The status of its answer."),
    .always("reason", \.reason, "The reason of its answer."),
  ]
}

extension ConnectionFigures.Limit: JSONWord {}

/// The only push of a run, for programs, and what most likely caused its refusal.
package struct OnlyPush: Sendable {
  struct LikeliestCause: JSONDescribed {
    let cause: Cause

    static let fields: [OutputField<Self>] = [
      .always("message", \.cause.text, "What is likely wrong."),
      .always("fix", \.cause.fix, "What to do."),
    ]
  }

  let line: JSON
  let cause: LikeliestCause?

  /// - Parameter listed: the list's own columns to include.
  package init<Result>(
    _ line: ResultLine<Result>, listing listed: [String], knowing facts: RequestFacts
  ) {
    self.line = ResultLine.fields(listing: listed).object(of: line)
    cause = line.result.response?.reason?.causes(of: facts).first.map(LikeliestCause.init)
  }
}

// The number of connections of a run, and its limit, for people.
extension ConnectionFigures {
  /// The number is worth showing: it was not given, and is not the one of every small run.
  var isNotable: Bool {
    switch limit {
    case .given: false
    case .enough, .ended: most > 1
    case .noGain, .server, .most, .system: true
    }
  }

  /// The number and its limit: `8, the last of which gained little`.
  var words: StyledText { "\(grouped(most))\(limit.words)" }
}

extension ConnectionFigures.Limit {
  /// The text after the number.
  fileprivate var words: String {
    switch self {
    case .given: ""
    case .enough: ", enough for what was to be sent"
    case .ended: ", as the run ended before the best number was found"
    case .noGain: ", the last of which gained little"
    case .server: ", as the server refused or slowed down"
    case .most: ", the most that are opened automatically"
    case .system: ", as no descriptors or threads were left"
    }
  }
}
