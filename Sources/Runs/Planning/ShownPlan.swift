package import JSONText
internal import PushModel
package import Reporting
internal import Settings

/// What a command is about to do, as `--plan` prints it: one object, whatever the number of runs.
struct ShownPlan {
  let id: PlanID
  let runs: [PlannedRun]
  /// What is asked on a terminal; nil if nothing is.
  let question: String?
  /// The devices that all runs reach, each counted once; nil if none goes to devices.
  let devices: Int?

  /// - Throws: `Failure.list` when a list cannot be read.
  init(_ question: RunQuestion) throws(Failure) {
    (id, runs, self.question) = (question.id, question.runs, question.text)
    devices = try runs.devices()
  }

  var pushes: Int { runs.reduce(0) { $0 + $1.pushes.count } }
  private var isExact: Bool { runs.allSatisfy(\.pushes.isExact) }
  private var isEnqueued: Bool { runs.contains(where: \.isEnqueued) }

  static let fields: [OutputField<Self>] = [
    .always("id", \.id.text, "The plan's ID: --yes=ID sends just this plan."),
    .always(
      "mode", { $0.isEnqueued ? "enqueue" : "send" }, "What becomes of the pushes.",
      .word(["send", "enqueue"]), as: "mode"
    ) { $0.isEnqueued ? "enqueue, for 'fanfare work'" : nil },
    .always("production", { $0.runs.contains(where: \.isForProduction) }, "Some go to production."),
    .always(
      "environments", \.environments, "All environments, each once, as in the summary of a run."),
    .always("steps", \.runs.count, "The notifications: the steps of scenarios, or 1."),
    .always("devices", \.devices, "The devices, each counted once; null for channels only."),
    .always("pushes", \.pushes, "The pushes of all steps."),
    .always(
      "atLeast", { !$0.isExact },
      "There may be more: a list is longer than a million rows, or can be read only once."),
    .always("question", \.question, "What a terminal would be asked; null for nothing."),
    .init([.init("runs", .array(PlannedRun.fields.shape()), "A run for each step.")]) { plan in
      [.list("runs", plan.runs.map { run in [plan.section(of: run)] })]
    },
    .people { [.text("pushes", $0.figures), .text("asks", $0.asks), .text("plan", $0.wayOn)] },
  ]

  private var environments: [String] {
    var all: [String] = []
    for run in runs { all.add(run.environments) }
    return all
  }

  private func section(of run: PlannedRun) -> Report.Part {
    let heading = run.step.map { StyledText("Step \($0.number) of \($0.scenario)") }
    return .section(
      heading: runs.count > 1 ? heading : nil, key: nil, PlannedRun.fields.parts(of: run))
  }
}

// Its words.
extension ShownPlan {
  /// `at least 1,000 to 500 devices, in 2 steps`
  private var figures: StyledText {
    let all = (isExact ? "" : "at least ") + grouped(pushes)
    let steps = runs.count > 1 ? ", in \(runs.count) steps" : ""
    return StyledText(all + (devices.map { " to \(counted($0, "device"))" } ?? "") + steps)
  }

  private var asks: StyledText? { question.map { .verbatim($0.onOneLine) } }

  private var wayOn: StyledText { "\(id.text); nothing was sent, --yes=\(id.text) sends it" }

  /// The report of a command with `--plan`.
  func report(_ fields: JSONFields?) -> Report {
    Report(parts: Self.fields.parts(of: self)).asJSON(fields)
  }

  /// The plan is not the one that was consented to.
  func refusal(of other: PlanID) -> Failure {
    Failure(
      "This is no longer the plan \(other.text): nothing was sent."
        + (question.map { " " + $0.onOneLine } ?? ""),
      fix: "--yes=\(id.text) sends what is planned now; --plan shows it.",
      data: [.object("plan", Self.fields.parts(of: self))])
  }
}

extension Outputs {
  /// A plan: `--plan --json`.
  package static let plan = ShownPlan.fields.keys()
}

extension String {
  /// The lines in one.
  fileprivate var onOneLine: String {
    split(separator: "\n").map { String($0.drop { $0 == " " }) }.joined(separator: " ")
  }
}

extension [PlannedRun] {
  /// The devices that they reach, each counted once; nil if none goes to devices.
  fileprivate func devices() throws(Failure) -> Int? {
    var (lists, known): ([PlannedRun], Set<[UInt8]>) = ([], [])
    for run in self where run.message.channel == nil {
      if known.insert(run.pushes.digest.bytes).inserted { lists.append(run) }
    }
    guard let first = lists.first else { return nil }
    if lists.count == 1, !first.recipients.mayRepeat { return first.pushes.count }
    var seen: Set<Int> = []
    for run in lists {
      var left = run.pushes.count
      try run.recipients.forEachPush(nil) { push in
        push.chunk.withToken(at: push.index) { token in
          var hasher = Hasher()
          hasher.combine(bytes: UnsafeRawBufferPointer(token))
          seen.insert(hasher.finalize())
        }
        left -= 1
        return left > 0
      }
    }
    return seen.count
  }
}
