import JSONText
import PushModel
import SendingSupport
import Testing

/// The figures that a run told of itself: the same from a run in the process and from the program.
struct Figures {
  var outcomes: [Outcome: Int] = [:]
  var lines = 0
  /// Bad lines, duplicates, suppressed ones and those of other shards.
  var rest = 0
  var resentInDoubt = 0

  subscript(outcome: Outcome) -> Int { outcomes[outcome, default: 0] }

  /// How many pushes another pass could still bring to an end.
  var unfinished: Int { self[.deferred] + self[.unknown] + self[.notAttempted] }

  init(_ summary: RunSummary) {
    outcomes = summary.outcomes
    let counts = summary.recipients
    lines = counts.lines
    rest = counts.badLines + counts.duplicates + counts.suppressed + counts.otherShards
    resentInDoubt = summary.resentInDoubt
  }

  /// - Parameter summary: what `--json` prints.
  init(_ summary: JSON) {
    func figure(_ name: String) -> Int { summary[name]?.int ?? -1_000_000 }
    for outcome in Outcome.allCases { outcomes[outcome] = figure(outcome.rawValue) }
    lines = figure("lines")
    rest = ["badLines", "duplicates", "suppressed", "otherShards"].reduce(0) { $0 + figure($1) }
    resentInDoubt = figure("resentInDoubt")
  }

  /// The sum that always holds.
  func expectSum() { #expect(lines == outcomes.values.reduce(0, +) + rest) }
}
