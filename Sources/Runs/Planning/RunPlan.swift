package import APNS
internal import PushModel
package import Reporting
internal import SQLHistory
package import Settings

/// What is sent, where, as whom, to whom and how: all that the later phases of a run need.
package struct RunPlan {
  package enum Mode {
    case send
    /// The run is left to workers.
    case enqueue(isUrgent: Bool)
    /// The plan is printed, and nothing else is done.
    case show
    /// The requests are printed in place of being sent.
    case dryRun(PrintedRequests)
  }

  package let mode: Mode
  package private(set) var message: Message
  package let destination: Destination
  package private(set) var recipients: RunRecipients
  package let origin: RunOrigin
  let delivery: DeliveryChoices
  let lists: ListChoices
  package let outputs: OutputChoices
  /// The history that keeps the run; nil keeps nothing.
  package let history: HistoryChoice?
  /// The settings as the history keeps them, and the lists.
  private(set) var inputs: KeptInputs
  /// What a person is asked before anything is sent.
  package let question: RunQuestion
  /// Where it goes, if a named device is for another environment; nil otherwise.
  let placeNote: String?
  /// A device token whose length is none of Apple's.
  package let oddToken: DeviceToken?
  /// The scenario whose script the emulator plays; nil for none.
  let scenario: Scenario?
  let announce: (ServerChoice) throws(Failure) -> Void
  let tellBegun: () -> Void
  let context: Context

  /// Makes the message, and decides everything else that settings decide.
  ///
  /// - Parameters:
  ///   - destination: where it goes, found once for an order that is planned again.
  ///   - telling: what is told of the message.
  /// - Throws: `Failure` for a message that breaks rules, and options that contradict each other.
  package init(
    _ order: RunOrder, at destination: Destination, telling: CheckedMessage.Telling = .all,
    _ context: Context
  ) throws(Failure) {
    (self.destination, self.context) = (destination, context)
    (recipients, origin, scenario) = (order.recipients, order.origin, order.scenario?.scenario)
    let (message, written) = try order.message(at: destination, telling, context)
    self.message = message
    oddToken = try order.oddToken(at: destination)
    placeNote = order.settings.placeNote(order.devices, context)
    mode = try order.mode(context)
    let choices = try RunChoices(order.settings, isOfStep: origin.step != nil, context)
    (delivery, lists) = (choices.delivery, choices.lists)
    (outputs, history) = (choices.outputs, choices.history)
    inputs = KeptInputs(settings: order.settings)
    question = try order.question(message, written, at: destination, choices.lists, context)
    (announce, tellBegun) = (order.announce, order.tellBegun)
  }

  /// The plan with the message made anew: it holds times, and may name a channel that was created
  /// since.
  package func renewed(_ order: RunOrder) throws(Failure) -> RunPlan {
    var plan = self
    plan.message = try order.message(at: destination, .nothing, context).0
    (plan.recipients, plan.inputs) = (order.recipients, KeptInputs(settings: order.settings))
    return plan
  }
}

extension RunOrder {
  fileprivate func mode(_ context: Context) throws(Failure) -> RunPlan.Mode {
    if settings.plan.isOn { return .show }
    if settings.dryRun.isOn { return .dryRun(try PrintedRequests(settings, context)) }
    return settings.enqueue.isOn ? .enqueue(isUrgent: settings.urgent.isOn) : .send
  }

  /// The message, made and checked, and if its plan is shown or was, as it was written.
  fileprivate func message(
    at destination: Destination, _ telling: CheckedMessage.Telling, _ context: Context
  ) throws(Failure) -> (Message, WrittenMessage?) {
    switch content {
    case .stored(let message, let expiration):
      let written = WrittenMessage(message, expiration: expiration)
      return (message, settings.bindPlan ? written : nil)
    case .draft(let assembly):
      if !assembly.hasPayload { try settings.refuseNothing() }
      let checked = try CheckedMessage(assembly, settings, destination, context)
      try approve(checked.message)
      checked.tell(telling, context)
      if telling != .nothing, let rendering = checked.message.rendering {
        try ColumnNotes(rendering, recipients.sources, settings)
          .tell(strict: settings.strict.isOn, context)
      }
      return (checked.message, settings.bindPlan ? try checked.written() : nil)
    }
  }

  /// Only of what is new: the others were told when their run began.
  fileprivate func oddToken(at destination: Destination) throws(Failure) -> DeviceToken? {
    guard case .draft = content else { return nil }
    return try recipients.sources.oddToken(for: destination.server.named, settings)
  }
}

/// How a dry run prints requests.
package struct PrintedRequests {
  let areCurl: Bool
  /// The fields to print in JSON; nil for text.
  let fields: JSONFields?
  let showTokens: Bool
  /// The queue that they would be added to; nil for none.
  let queue: String?

  /// - Throws: `Failure` when the settings name no queue, though they want one.
  fileprivate init(_ settings: Settings, _ context: Context) throws(Failure) {
    (areCurl, fields) = (settings.curl.isOn, settings.json?.value)
    showTokens = settings.showTokens.isOn
    queue =
      settings.enqueue.isOn ? HistoryLocation(try settings.queueLocation(context)).shown : nil
  }
}
