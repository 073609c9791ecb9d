internal import APNS
internal import PushModel
internal import Recipients
package import Reporting
package import Settings

/// What a person is asked before pushes are sent: made by the plan, put when the run is opened.
package struct RunQuestion {
  /// Named devices of another environment than the one that is sent to.
  private var elsewhere: [DeviceElsewhere] = []
  /// The pushes to production, by app.
  private var previews: [ProductionPreview] = []
  /// The rest of a run that is resumed.
  private var remainder: RunRemainder?
  /// Without a terminal, the remainder is not sent to production.
  private var isUnnamed = false
  private var showsTokens = false

  /// Nothing is asked.
  package init() {}

  /// Adds what another run of the same command asks.
  package mutating func add(_ other: RunQuestion) {
    elsewhere += other.elsewhere
    showsTokens = other.showsTokens
    for preview in other.previews {
      if let index = previews.firstIndex(where: preview.isAlike) {
        previews[index].add(preview)
      } else {
        previews.append(preview)
      }
    }
  }

  /// Asks.
  ///
  /// - Throws: `Failure.notConfirmed` unless each answer is yes. Without a terminal, devices of
  ///   another environment are refused, and a rest for production whose run was not named.
  package func put(_ context: Context) throws(Failure) {
    try putElsewhere(context)
    try putPreviews(context)
    if let remainder { try put(remainder, context) }
  }

  private func putElsewhere(_ context: Context) throws(Failure) {
    var sentences: [String] = []
    sentences.add(elsewhere.map(\.sentence))
    if sentences.isEmpty { return }
    let question = sentences.map { $0 + "\n" }.joined() + "Send there? [y/N] "
    if try !context.isAnswered(question) {
      throw Failure(
        sentences.joined(separator: " ") + " Nothing was sent.",
        fix: "Leave out the environment, give --env for another, or give --yes to send there.")
    }
  }

  private func putPreviews(_ context: Context) throws(Failure) {
    if previews.isEmpty { return }
    let text = previews.map { $0.text(showsTokens: showsTokens) }.joined()
    let isOne = previews.count == 1 && previews[0].isOnePush
    if try context.isAnswered(text + "Send \(isOne ? "it" : "them")? [y/N] ") { return }
    try context.tellUnasked(previews.map(\.headline).joined(separator: "; ") + ".")
  }

  private func put(_ rest: RunRemainder, _ context: Context) throws(Failure) {
    let isTold = context.teller.showsNotices && context.teller.canAsk
    let facts = isTold ? "" : rest.text + "\n"
    if try context.isAnswered(facts + "Send what is left? [y/N] ") { return }
    if isUnnamed, rest.isForProduction { throw .unnamedRun(rest) }
    try context.tellUnasked(rest.text)
  }
}

extension Context {
  /// - Returns: false without a terminal.
  /// - Throws: `Failure.notConfirmed` unless the answer is yes.
  fileprivate func isAnswered(_ question: String) throws(Failure) -> Bool {
    guard let answer = try confirms(question) else { return false }
    if !answer { throw .notConfirmed }
    return true
  }
}

extension RunOrder {
  /// What is asked before it is sent.
  func question(
    _ message: Message, at server: ServerChoice, _ lists: ListChoices, _ context: Context
  ) throws(Failure) -> RunQuestion {
    if settings.yes.isOn || settings.dryRun.isOn { return RunQuestion() }
    let elsewhere = settings.devicesElsewhere(devices, context)
    switch origin {
    case .queued: return RunQuestion()
    case .resumed(let run):
      let rest = RunRemainder(run.resuming.plan, at: server, now: context.now)
      return RunQuestion(
        settings, elsewhere, nil, rest.needsConsent ? rest : nil, run.isNamed)
    case .new, .step, .resent:
      let preview = try preview(message, at: server, lists, context)
      return RunQuestion(settings, elsewhere, preview)
    }
  }

  /// The preview to show; nil if there is no need to ask, or to tell. A channel always
  /// needs it, because it reaches every device that follows it.
  private func preview(
    _ message: Message, at server: ServerChoice, _ lists: ListChoices, _ context: Context
  ) throws(Failure) -> ProductionPreview? {
    let isOnePush = recipients.sources.isOnePush || settings.limit?.value == 1
    guard server.environment.isProduction, try context.questionsMatter(),
      !isOnePush || message.channel != nil, scenario.map({ !$0.createsChannel }) ?? true
    else { return nil }
    let preview = try ProductionPreview(
      message, to: recipients.sources, try recipients.selection(lists), as: lists.format)
    return preview.isSmall ? nil : preview
  }
}

extension RunQuestion {
  fileprivate init(
    _ settings: Settings, _ elsewhere: [DeviceElsewhere], _ preview: ProductionPreview?,
    _ remainder: RunRemainder? = nil, _ isNamed: Bool = true
  ) {
    self.elsewhere = elsewhere
    (previews, self.remainder) = (preview.map { [$0] } ?? [], remainder)
    (isUnnamed, showsTokens) = (!isNamed, settings.showTokens.isOn)
  }
}

extension Failure {
  /// A run for production was not named.
  fileprivate static func unnamedRun(_ rest: RunRemainder) -> Failure {
    Failure(
      "\(rest.text) It is not sent to production without its number or --yes.",
      fix: "Send it with 'fanfare resume \(rest.run)'.")
  }
}
