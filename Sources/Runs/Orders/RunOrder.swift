internal import Reporting
package import Settings

/// What was asked: the settings, merged once, what is sent to whom, and where the run comes from.
/// The plan is made from it; later phases do not read the settings.
package struct RunOrder {
  /// What is sent.
  package enum Content {
    /// A notification as somebody wrote it, which the rules are applied to.
    case draft(DraftAssembly)
    /// The message of an earlier run, which was checked when that began, and the expiration that was
    /// written in place of its own.
    case stored(Message, expiration: String? = nil)
  }

  /// All layers, merged.
  package let settings: Settings
  package var content: Content
  package let recipients: RunRecipients
  package let origin: RunOrigin
  /// The scenario whose step is sent; nil for any other run.
  package var scenario: OrderedScenario?
  package var credentials = CredentialSource.own
  /// The named devices among the recipients that the settings do not have.
  package var devices: [Device] = []
  /// The files of lists of the run that it takes up, which it does not write to.
  var earlierLists: [String] = []
  /// Refuses the message, or announces what it repeats, before its warnings are told.
  var approve: (Message) throws(Failure) -> Void = { _ in }
  /// Tells what is about to be sent to a server, before that is asked about.
  var announce: (ServerChoice) throws(Failure) -> Void = { _ in }
  /// Tells what is sent once nothing can refuse it any more.
  var tellBegun: () -> Void = {}

  package init(
    _ settings: Settings, _ content: Content, to recipients: RunRecipients, _ origin: RunOrigin
  ) {
    (self.settings, self.content, self.recipients) = (settings, content, recipients)
    self.origin = origin
  }
}

/// What an order needs to know of the scenario whose step it is.
package struct OrderedScenario {
  package let scenario: Scenario
  /// The files read for the step; those outside the scenario's project require trust.
  package let reads: [String]
  /// The step goes to a channel that the scenario creates: only devices that it tells can follow
  /// it.
  package let createsChannel: Bool

  package init(_ scenario: Scenario, reading reads: [String], createsChannel: Bool) {
    (self.scenario, self.reads, self.createsChannel) = (scenario, reads, createsChannel)
  }
}
