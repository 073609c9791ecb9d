internal import APNS
internal import HTTP2
internal import History
package import JSONText
internal import PlainText
internal import PushModel
package import Reporting
internal import Runs
internal import Settings

/// Writes events of the history, one line each.
struct EventWriter {
  /// The widths of a push's cells: an outcome, a status with APNs' longest reason, the end of a
  /// token. Fixed, because later rows are not known yet.
  private static let widths = [
    13, 4 + (Reason.table.map(\.reason.rawValue.count).max() ?? 0), 9, 0,
  ]

  private let isJSON: Bool
  private let showsTokens: Bool
  private let output: Output
  private let clock: RunClock
  private let style: Style

  init(asJSON isJSON: Bool, showsTokens: Bool, _ context: Context) {
    (self.isJSON, self.showsTokens) = (isJSON, showsTokens)
    (output, clock) = (context.teller.data, context.clock)
    style = context.teller.style
  }

  func write(_ event: HistoryEvent) {
    if isJSON {
      output.write(event.line)
    } else {
      output.write(style.of(text(of: event)) + "\n")
    }
  }

  private func text(of event: HistoryEvent) -> StyledText {
    switch event {
    case .began(let run):
      // The start of a resuming pass is not recorded, so use the time it was seen.
      let isFirst = run.resumptions == 0
      let time = isFirst ? run.record.started : clock.epochMilliseconds()
      let what = "\(run.record.environment), \(run.record.title)"
      return line(of: run, at: time, "\(isFirst ? "began" : "resumed"): \(what)")
    case .push(let push): return line(of: push)
    case .ended(let run):
      let time = run.ended ?? run.stop?.at ?? run.record.started
      return line(of: run, at: time, "\(ending(run)): \(outcomes(run.completeTally))")
    case .worker(let worker):
      let time = worker.ended ?? (worker.state == .lost ? worker.heard : worker.started)
      return "\(moment(time))  \("run \(worker.run)", .bold) \(standing(of: worker))"
    }
  }

  private func line(of run: RunEntry, at time: Int64, _ text: StyledText) -> StyledText {
    "\(moment(time))  \("run \(run.run)", .bold) \(text)"
  }

  private func standing(of worker: WorkerEntry) -> StyledText {
    switch worker.state {
    case .working: "worker \(worker.name) began"
    case .ended: "worker \(worker.name) ended: \(outcomes(worker.tally))"
    case .lost: "\("worker \(worker.name) was lost", .doubtful): \(outcomes(worker.tally))"
    }
  }

  private func ending(_ run: RunEntry) -> StyledText {
    if run.state == .finished { return "ended" }
    guard let stop = run.stop else { return "was interrupted" }
    return StyledText("was stopped" + (stop.cause.map { " (\($0))" } ?? ""))
  }

  private func outcomes(_ tally: OutcomeTally) -> StyledText {
    let outcomes = Outcome.allCases.filter { tally[$0] > 0 }
    var text: StyledText = outcomes.isEmpty ? "no pushes" : ""
    for outcome in outcomes {
      if outcome != outcomes.first { text.append(", ", .plain) }
      text.append("\(grouped(tally[outcome])) \(outcome.words)", outcome.tone)
    }
    return text
  }

  private func line(of push: PushEntry) -> StyledText {
    var text: StyledText = "\(moment(push.at))  \("\(push.run)".padding(to: 4))"
    for ((_, cell), width) in zip(push.cells(showsToken: showsTokens), Self.widths) {
      let room = String(repeating: " ", count: max(0, width - cell.plain.columns))
      text = "\(text)  \(cell)\(room)"
    }
    return text
  }
}

extension HistoryEvent {
  /// A line of JSON: stable, documented in docs/formats.md.
  fileprivate var line: [UInt8] {
    switch self {
    case .began(let run): ToldEvent(name: .began, run: run).jsonLine
    case .ended(let run): ToldEvent(name: .ended, run: run).jsonLine
    case .worker(let worker): WorkerEvent(worker: worker).jsonLine
    case .push(let push): PushEvent(push: push).jsonLine
    }
  }
}

private struct ToldEvent: JSONDescribed {
  enum Name: String, JSONWord { case began, ended }

  let name: Name
  let run: RunEntry

  static let fields: [OutputField<Self>] = [
    .always("event", \.name, "What happened to the run."), .all(RunEntry.fields) { $0.run },
  ]
}

private struct WorkerEvent: JSONDescribed {
  let worker: WorkerEntry

  static let fields: [OutputField<Self>] = [
    .always("event", { _ in "worker" }, "A worker began, ended or was lost.", .word(["worker"])),
    .always("run", \.worker.run.rawValue, "The run that it works on."),
    .all(WorkerEntry.fields, of: \.worker),
  ]
}

private struct PushEvent: JSONDescribed {
  let push: PushEntry

  static let fields: [OutputField<Self>] = [
    .always("event", { _ in "push" }, "A push got its result.", .word(["push"])),
    .all(DescribedPush.described) { DescribedPush(entry: $0.push) },
  ]
}

extension Outputs {
  /// An event: a line of `history tail`.
  package static let event = JSONShape.either([
    ToldEvent.jsonShape, PushEvent.jsonShape, WorkerEvent.jsonShape,
  ])
}
