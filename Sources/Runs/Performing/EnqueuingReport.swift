internal import Delivery
package import JSONText
internal import PushModel
package import Reporting

/// The result of enqueuing a run: the members of `send --enqueue --json`, stable, documented in
/// docs/formats.md.
struct EnqueuingReport {
  let run: RunNumber
  let environment: String
  /// The history to name in commands; nil for the one used by default.
  let history: String?
  /// All lists of the run can be read again.
  var canBeResumed = true
  /// The number of pushes in the queue.
  var enqueued = 0
  var counts = RecipientCounts()
  /// The reason reading stopped before the end of the lists; nil when it did not.
  var cause: StopCause?
  /// The exit code if a signal was the reason.
  var signal: ExitCode?

  var parts: [Report.Part] {
    [.paragraph(StyledText(sentence))] + Self.fields.parts(of: self)
  }

  fileprivate static let fields: [OutputField<Self>] = [
    .always("run", \.run.rawValue, "The run's number in the history."),
    .always(
      "environment", \.environment, "production, sandbox, emulator, inbox, or the server's URL."),
    .always(
      "state", { $0.cause == nil ? RunState.enqueued : .enqueuing },
      "enqueuing if the lists were not read to their end.",
      .word([RunState.enqueued, .enqueuing].map(\.rawValue))),
    .always("enqueued", \.enqueued, "Pushes in the queue, with those that were sent meanwhile."),
    .always("lines", \.counts.lines, "Lines read, without blank ones, comments and header rows."),
    .all(RecipientCounts.fields(badLines: .doubtful)) { $0.counts },
  ]

  /// A sentence such as `Run 12: 300,000 pushes are enqueued; 'fanfare work' sends them.`
  private var sentence: String { "Run \(run): \(state)\(next.map { "; \($0)" } ?? "")." }

  private var state: String {
    let verb = enqueued == 1 ? "is" : "are"
    let done = "\(counted(enqueued, "push", plural: "pushes")) \(verb) enqueued"
    return cause == nil ? done : "\(done), and the lists were not read to their end"
  }

  /// The next step; nil when there is none for this run.
  private var next: String? {
    let place = history.map { " --history \(shellWord($0))" } ?? ""
    if cause != nil {
      return canBeResumed ? "'fanfare resume \(run)\(place)' goes on" : nil
    }
    return enqueued == 0 ? nil : "'fanfare work\(place)' sends \(enqueued == 1 ? "it" : "them")"
  }

  /// A message for standard error if nothing else is printed; nil on success.
  var complaint: Report.Part? {
    if exitCode == .success { return nil }
    let lines = counts.badLines > 0 ? "\(counted(counts.badLines, "bad line")); " : ""
    return .lines(["fanfare: \("error:", .bad) \(lines)\(sentence)"])
  }

  /// The exit code.
  var exitCode: ExitCode {
    if let signal { return signal }
    let isBad = counts.badLines > 0
    switch cause {
    case nil: return isBad ? .failure : .success
    case .list: return enqueued == 0 ? .usage : .unfinished
    default: return .merged([.unfinished, isBad ? .failure : .success])
    }
  }
}

extension Outputs {
  /// A run added to the queue.
  package static let enqueuing = EnqueuingReport.fields.keys()
}
