package import APNS
internal import JSONText
internal import PlainText
package import PushModel
package import Reporting
internal import Runs
internal import Settings

/// Notes on a run that has just ended besides its figures, for people only.
package struct FigureNotes {
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

// The figures of a summary, of a run that has just ended and of one in the history.
extension RunFigures {
  /// - Parameters:
  ///   - run: the run's number; nil when it is not in the history.
  ///   - reasons: the reasons with their counts, the most frequent first.
  package func parts(
    of run: Int64?, _ reasons: [ReasonCount], _ notes: FigureNotes = FigureNotes()
  ) -> [Report.Part] {
    let head: [Report.Part] = [
      .json("run", .number(run)),
      .fact("environment", "environment", .text(environment)),
      .json("lines", .number(recipients.lines)), .json("total", .number(outcomes.total)),
    ]
    return head + Outcome.allCases.flatMap { parts($0, notes) } + recipients.skipped + coverage
      + parts(reasons) + speed(notes) + connections(notes)
  }

  /// An outcome, and what is to be known of it.
  private func parts(_ outcome: Outcome, _ notes: FigureNotes) -> [Report.Part] {
    let count = outcomes[outcome]
    let due =
      outcome == .deferred
      ? notes.due.map { ", due from \(ISO8601.text(seconds: $0 / 1000))" } : nil
    let shown: StyledText? =
      count > 0 || outcome == .accepted ? "\(grouped(count), outcome.tone)\(due ?? "")" : nil
    let expired = outcome == .skipped && notes.expired > 0 ? notes.expired : nil
    return [
      .fact(StyledText(outcome.words), outcome.rawValue, .number(count), shown: shown),
      .text("  expired before they were sent", expired.map { ofThisPass("\(grouped($0))") }),
    ]
  }

  /// The end of what was read, and the pass. Version 0.1 did not keep the pass.
  private var coverage: [Report.Part] {
    [
      .fact(
        "not read", "unread", unread?.json ?? nil,
        shown: unread.map { StyledText($0.words, .doubtful) })
    ] + (pass.map { [.json("pass", .number($0))] } ?? [])
  }

  /// A figure of this pass, labelled so where others are of the whole run.
  func ofThisPass(_ figure: StyledText) -> StyledText {
    pass == 1 ? figure : "\(figure) in this pass"
  }

  private func parts(_ reasons: [ReasonCount]) -> [Report.Part] {
    [
      .text("reasons", reasons.isEmpty ? nil : pass == 1 ? "" : "in this pass"),
      .object(
        "reasons", reasons.map { .fact(StyledText("  \($0.name)"), $0.name, .number($0.count)) }),
    ]
  }

  private func speed(_ notes: FigureNotes) -> [Report.Part] {
    let rate = grouped(Int(pushesPerSecond.rounded()))
    let time = fixed(seconds, decimals: 2)
    let pause = "\(fixed(notes.pausedSeconds, decimals: 2)) s"
    let words = latencyWords
    return [
      .fact(
        "sent twice?", "resentInDoubt", .number(resentInDoubt),
        shown: resentInDoubt > 0
          ? ofThisPass("\("at most \(grouped(resentInDoubt))", .doubtful)") : nil),
      .json("seconds", .decimal(seconds)),
      .fact(
        "speed", "pushesPerSecond", .decimal(pushesPerSecond),
        shown: outcomes.total > 0 ? ofThisPass("\(rate) pushes/s over \(time) s") : nil),
      .text(
        "paused", notes.pausedSeconds >= 0.01 ? ofThisPass("\(pause), for Retry-After") : nil),
      .text("latency", words.map { ofThisPass(StyledText($0)) }),
      .object("latency", shares.map { .json($0.name, .decimal($0.milliseconds)) }),
    ]
  }

  /// `p50 0.4 ms, p95 1.2 ms, p99 3.5 ms`; nil when nothing was answered.
  package var latencyWords: String? {
    latency.map { _ in
      shares.map { "\($0.name) \($0.milliseconds.map(milliseconds) ?? "")" }
        .joined(separator: ", ")
    }
  }

  private var shares: [(name: String, milliseconds: Double?)] {
    let shares = [("p50", latency?.p50), ("p95", latency?.p95), ("p99", latency?.p99)]
    return shares.map { ($0, $1.map { Double($0) / 1000 }) }
  }
}

extension [EnvironmentAnswer] {
  /// The answers of the environments that were asked, for programs; nothing where it was known where to
  /// send.
  package var parts: [Report.Part] {
    if isEmpty { return [] }
    let answers = map { answer -> [Report.Part] in
      [
        .json("environment", .text(answer.environment)), .json("status", .number(answer.status)),
        .json("reason", .text(answer.reason)),
      ]
    }
    return [.list("asked", answers)]
  }
}

extension ResultLine {
  /// The only push of a run, for programs, and what most likely caused its refusal.
  package func parts(knowing facts: RequestFacts) -> [Report.Part] {
    let cause = result.response?.reason?.causes(of: facts).first
    return [.object("push", parts)]
      + (cause.map { [.json("cause", ["message": .text($0.text), "fix": .text($0.fix)])] } ?? [])
  }
}
