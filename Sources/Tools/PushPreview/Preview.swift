internal import APNS
internal import HTTP2
internal import JSONText
internal import PushModel
internal import Recipients
package import Reporting
internal import Runs
internal import Scenarios
package import Settings

/// Previews a notification as a device would show it. Sends nothing.
package struct Preview {
  /// The scenario or payload file to read notifications from; nil for none.
  let scenario: String?
  /// The scenario's step to show; nil for all.
  let step: Int?
  let options: Settings
  let context: Context

  package init(scenario: String?, step: Int?, options: Settings, context: Context) {
    (self.scenario, self.step) = (scenario, step)
    (self.options, self.context) = (options, context)
  }

  /// - Throws: `Failure.problems` for problems that `send` would refuse, too.
  package func run() throws(Failure) -> Report {
    try report().asJSON(options.json?.value)
  }

  func report() throws(Failure) -> Report {
    try options.refuseTwoInputs(context)
    guard let path = scenario else {
      if step != nil { throw .missingArgument("SCENARIO") }
      return Report(parts: try push(of: nil, in: nil).parts, form: .object)
    }
    if FileKind(path: path)?.lookingInto(path) == .payload {
      let options = try options.withPayload(path)
      return try Preview(scenario: nil, step: step, options: options, context: context).report()
    }
    let scenario = try readScenario(path, context).sending(to: options.channel)
    let steps = try wanted(of: scenario).map { (step) throws(Failure) in
      PreviewedStep(
        step: step, isOneOfSeveral: scenario.isSeveral, push: try push(of: step, in: scenario))
    }
    let previewed = PreviewedScenario(title: scenario.title, steps: steps)
    return Report(parts: PreviewedScenario.fields.parts(of: previewed), form: .object)
  }

  private func wanted(of scenario: Scenario) throws(Failure) -> [ScenarioStep] {
    guard let step else { return scenario.steps }
    let wanted = scenario.steps.filter { $0.number == step }
    if wanted.isEmpty {
      throw .noSuchStep(step, scenario: scenario.title, count: scenario.steps.count)
    }
    return wanted
  }
}

// The pushes.
extension Preview {
  private func push(of step: ScenarioStep?, in scenario: Scenario?) throws(Failure) -> PushPreview {
    let order = try order(of: step, in: scenario)
    try order.requireTrust(context)
    let settings = order.settings
    if scenario == nil { try settings.refuseNothing() }
    var assembly = order.unsent
    let written = try assembly.draft()
    let filling = Filling(
      draft: written, template: Template(written, variables: assembly.variables, in: rules),
      sources: order.recipients, areSourcesGiven: order.areGiven,
      settings: settings, rules: rules, context: context)
    let filled = try filling.filled()
    let target = assembly.simulatorTarget?.string
    return PushPreview(
      draft: filled.draft, app: settings.bundleID?.value ?? target ?? filled.draft.appOfTopic,
      isTypeInferred: assembly.inferredType != nil, row: filled.row, warnings: filled.warnings,
      now: rules.now)
  }

  private func order(
    of step: ScenarioStep?, in scenario: Scenario?
  ) throws(Failure) -> DraftOrder {
    let parts: Set<SettingField.Part> = [.what, .headers, .to]
    guard let step, let scenario else {
      return try DraftOrder(options, reading: parts, context)
    }
    return try DraftOrder(options, step, of: scenario, reading: parts, context)
  }

  private var rules: RuleContext { RuleContext(now: context.clock.epochSeconds) }
}

/// Fills in a draft's placeholders from the first row of its lists, if there are any.
private struct Filling {
  let draft: Draft
  let template: Template?
  let sources: [RecipientSource]
  /// Options name the lists. Those of a scenario are read only if placeholders need them.
  let areSourcesGiven: Bool
  let settings: Settings
  let rules: RuleContext
  let context: Context

  typealias Filled = (draft: Draft, row: String?, warnings: [Problem])

  /// - Throws: `Failure.problems` if a rule is broken, including the warnings.
  func filled() throws(Failure) -> Filled {
    _ = try judged(template?.problems ?? RuleTable.problems(in: draft, rules))
    var (filled, row): (Draft, String?) = (draft, nil)
    let needsRow = areSourcesGiven || !(template?.names.isEmpty ?? true)
    if sources.haveVariables, needsRow {
      (filled, row) = try filledFromRow()
    } else if let template {
      filled = try passing { () throws(BrokenRules) in try template.filled() }
    }
    return (filled, row, try judged(RuleTable.problems(in: filled, rules)))
  }

  /// Ignores missing apps: nothing is sent.
  private func judged(_ problems: [Problem]) throws(Failure) -> [Problem] {
    let problems = problems.filter { !["topic-missing", "bundle-id-missing"].contains($0.rule) }
    if problems.contains(where: { $0.severity == .error }) { throw .problems(problems) }
    return problems
  }

  private func filledFromRow() throws(Failure) -> (Draft, String?) {
    var reader = try reader()
    guard let push = try reader.nextChunk()?.pushes.first(where: { _ in true }) else {
      throw .noRecipients
    }
    if let broken = push.chunk.problems(at: push.index) { throw .problems(broken.problems) }
    var filled = draft
    if template != nil, let bytes = push.chunk.withPayload(at: push.index, { Array($0) }) {
      // Not a file: the positions are not those of the filled-in text.
      filled.payload = DraftPayload(reading: bytes)
    }
    return (filled, "\(push.chunk.list):\(push.line), \(shortToken(push.token))")
  }

  /// Skips the rules for rows: they are applied to the filled-in draft.
  private func reader() throws(Failure) -> RecipientReader {
    let suppression = Suppression(settings.suppressedSources, settings, context)
    let rendering = try template.map { (template) throws(Failure) in
      try passing { () throws(BrokenRules) in try template.renderer(force: true) }
    }
    return try attempt(
      try RecipientReader(
        sources, format: settings.listFormat,
        selection: settings.selection(without: suppression.tokens()), rendering: rendering,
        chunkSize: 1, report: SkippedLines("bad lines", context.teller).add)
    ) { .list($0) }
  }
}

extension Draft {
  /// The app that the topic names, without the push type's suffix.
  fileprivate var appOfTopic: String? {
    guard let topic, pushTypeInfo?.usesBundleID ?? true else { return nil }
    let suffix = pushTypeInfo?.suffix ?? ""
    return topic.hasSuffix(suffix) ? String(topic.dropLast(suffix.count)) : topic
  }
}

struct PreviewedScenario {
  let title: String
  let steps: [PreviewedStep]

  static let fields: [OutputField<Self>] = [
    .always("scenario", \.title, "The scenario's name, or its file."),
    .list("steps", \.steps, "Its notifications.", PreviewedStep.fields),
  ]
}

struct PreviewedStep {
  let step: ScenarioStep
  let isOneOfSeveral: Bool
  let push: PushPreview

  fileprivate static let fields: [OutputField<Self>] = [
    .always("step", \.step.number, "The step's number among the notifications, from 1."),
    .always("name", \.step.name, "The step's name."),
    .init(PushPreview.fields.keys()) {
      let heading = "Step \($0.step.number)\($0.step.name.map { ": \($0)" } ?? "")"
      return [
        .section(
          heading: $0.isOneOfSeveral ? StyledText(heading) : nil, key: nil, $0.push.parts)
      ]
    },
  ]
}
