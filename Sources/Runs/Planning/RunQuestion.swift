internal import PushModel
package import Reporting
package import Settings

/// What a person is asked before pushes are sent: made by the plan, put when the run is opened.
package struct RunQuestion {
  /// A sentence for each named device of another environment than the one that is sent to.
  private var elsewhere: [String] = []
  /// The pushes to production, by app.
  private var previews: [ProductionPreview] = []
  /// The rest of a run that is resumed.
  private var remainder: RunRemainder?
  /// Without a terminal, the remainder is not sent to production.
  private var isUnnamed = false
  private var showsTokens = false
  /// The answer on the command line; nil asks a person.
  private var consent: Consent?
  /// The runs that it is about, if somebody is shown the plan, or was.
  private(set) var runs: [PlannedRun] = []

  /// Nothing is asked.
  package init() {}

  /// Adds what another run of the same command asks.
  package mutating func add(_ other: RunQuestion) {
    elsewhere.add(other.elsewhere)
    runs += other.runs
    consent = other.consent
    showsTokens = other.showsTokens
    for preview in other.previews {
      if let index = previews.firstIndex(where: preview.isAlike) {
        previews[index].add(preview)
      } else {
        previews.append(preview)
      }
    }
  }

  /// There is nothing to ask or to compare.
  package var isEmpty: Bool {
    if case .plan? = consent { return false }
    return consent == .always || parts.isEmpty
  }

  /// Asks, or compares the plan with the one that was consented to.
  ///
  /// - Throws: `Failure.notConfirmed` unless each answer is yes. Without a terminal, devices of
  ///   another environment are refused, and a rest for production whose run was not named.
  ///   `ShownPlan.refusal` for another plan.
  package func put(_ context: Context) throws(Failure) {
    switch consent {
    case .always?: return
    case .plan(let id)?:
      if id != self.id { throw try ShownPlan(self).refusal(of: id) }
    case nil:
      try putElsewhere(context)
      try putPreviews(context)
      if let remainder { try put(remainder, context) }
    }
  }

  /// The questions in words; nil without one.
  var text: String? { parts.isEmpty ? nil : parts.joined(separator: "\n") }

  /// The ID of the plan: a digest of the question, and of all that is shown.
  var id: PlanID {
    var digest = PlanDigest()
    for run in runs { run.add(to: &digest) }
    for sentence in elsewhere { digest.add(sentence) }
    digest.add("\(previews.count) \(remainder != nil)")
    return digest.id
  }

  private var parts: [String] {
    let remainder = remainder.map { "\($0.text)\n\(Self.rest)" }
    return [elsewhereText, previewText, remainder].compactMap(\.self)
  }

  private static let rest = "Send what is left?"

  private var elsewhereText: String? {
    elsewhere.isEmpty ? nil : elsewhere.map { $0 + "\n" }.joined() + "Send there?"
  }

  private var previewText: String? {
    if previews.isEmpty { return nil }
    let isOne = previews.count == 1 && previews[0].isOnePush
    return previews.map { $0.text(showsTokens: showsTokens) }.joined()
      + "Send \(isOne ? "it" : "them")?"
  }

  private func putElsewhere(_ context: Context) throws(Failure) {
    guard let question = elsewhereText else { return }
    if try !context.isAnswered(question) {
      throw Failure(
        elsewhere.joined(separator: " ") + " Nothing was sent.",
        fix: "Leave out the environment, give --env for another, or give --yes to send there.")
    }
  }

  private func putPreviews(_ context: Context) throws(Failure) {
    guard let question = previewText else { return }
    if try context.isAnswered(question) { return }
    try context.tellUnasked(previews.map(\.headline).joined(separator: "; ") + ".")
  }

  private func put(_ rest: RunRemainder, _ context: Context) throws(Failure) {
    let isTold = context.teller.showsNotices && context.teller.canAsk
    let facts = isTold ? "" : rest.text + "\n"
    if try context.isAnswered(facts + Self.rest) { return }
    if isUnnamed, rest.isForProduction { throw .unnamedRun(rest) }
    try context.tellUnasked(rest.text)
  }
}

extension Context {
  /// - Returns: false without a terminal.
  /// - Throws: `Failure.notConfirmed` unless the answer is yes.
  fileprivate func isAnswered(_ question: String) throws(Failure) -> Bool {
    guard let answer = try confirms(question + " [y/N] ") else { return false }
    if !answer { throw .notConfirmed }
    return true
  }
}

extension RunOrder {
  /// What is asked before it is sent.
  ///
  /// - Parameter written: the message as it was written.
  func question(
    _ message: Message, _ written: WrittenMessage?, at destination: Destination,
    _ lists: ListChoices, _ context: Context
  ) throws(Failure) -> RunQuestion {
    let isAnswered = settings.yes?.value == .always && !settings.plan.isOn
    if isAnswered || settings.dryRun.isOn { return RunQuestion() }
    if case .queued = origin { return RunQuestion() }
    var question = RunQuestion(settings, settings.devicesElsewhere(devices, context))
    if case .resumed(let run) = origin {
      let rest = RunRemainder(
        plan: run.resuming.plan, server: destination.server, now: context.now)
      question.ask(of: rest, isNamed: run.isNamed)
    }
    let isPreviewed = try isPreviewed(message, at: destination.server, context)
    if !isPreviewed, !settings.bindPlan { return question }
    let recipients = try PlannedRecipients(recipients, lists, origin, context)
    let pushes = try PlannedPushes(message, to: recipients)
    if isPreviewed { question.ask(of: ProductionPreview(message, pushes)) }
    if settings.bindPlan {
      question.show(PlannedRun(self, message, written, pushes, recipients, at: destination))
    }
    return question
  }

  /// A preview may be needed, and there is somebody to answer, or to tell. A channel always needs it,
  /// because it reaches every device that follows it.
  private func isPreviewed(
    _ message: Message, at server: ServerChoice, _ context: Context
  ) throws(Failure) -> Bool {
    if case .resumed = origin { return false }
    let isOnePush = recipients.sources.isOnePush || settings.limit?.value == 1
    guard server.environment.isProduction, !isOnePush || message.channel != nil,
      scenario.map({ !$0.createsChannel }) ?? true
    else { return false }
    if settings.bindPlan { return true }
    return try context.questionsMatter()
  }
}

extension RunQuestion {
  fileprivate init(_ settings: Settings, _ elsewhere: [String]) {
    self.elsewhere.add(elsewhere)
    (showsTokens, consent) = (settings.showTokens.isOn, settings.yes?.value)
  }

  fileprivate mutating func ask(of rest: RunRemainder, isNamed: Bool) {
    (remainder, isUnnamed) = (rest.needsConsent ? rest : nil, !isNamed)
  }

  fileprivate mutating func ask(of preview: ProductionPreview) {
    if !preview.isSmall { previews.append(preview) }
  }

  fileprivate mutating func show(_ run: PlannedRun) { runs.append(run) }
}

extension Failure {
  /// A run for production was not named.
  fileprivate static func unnamedRun(_ rest: RunRemainder) -> Failure {
    Failure(
      "\(rest.text) It is not sent to production without its number or --yes.",
      fix: "Send it with 'fanfare resume \(rest.run)'.")
  }
}
