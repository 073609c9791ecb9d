package import Recipients
package import Reporting
internal import Settings

/// The recipients of a run: lists, device tokens or a channel, without those that are left out.
package struct RunRecipients {
  package let sources: [RecipientSource]
  /// The device tokens to leave out.
  package let suppression: Suppression
  /// Copies of the lists that can be read only once; nil for a run that is continued, which has
  /// them.
  let spools: ListSpools?

  /// - Parameter spools: nil for a run that is continued.
  package init(
    _ sources: [RecipientSource], without suppression: Suppression,
    spools: ListSpools? = ListSpools()
  ) {
    (self.sources, self.suppression, self.spools) = (sources, suppression, spools)
  }

  /// A run that is continued may have none left. To a new one they are essential.
  var mayBeEmpty: Bool { spools == nil }

  /// Prepares the copies of the lists that can be read only once, by list index.
  ///
  /// - Parameter history: the history beside which they are made; nil makes none.
  func prepareSpools(beside history: String?, _ context: Context) -> [Int: Spool] {
    guard let spools, let history else { return [:] }
    if case .resent(let list)? = sources.first {
      spools.hold(list, context)
      return [:]
    }
    return spools.prepare(for: sources, beside: history, context)
  }

  /// A list that can be read only once could not be copied.
  var lacksCopies: Bool {
    spools?.hasFailed ?? false || suppression.spools.hasFailed
  }

  /// Removes the copies of the lists because the history needs their room: the run goes on, and
  /// cannot be resumed.
  func giveUpCopies() {
    spools?.giveUp()
    suppression.spools.giveUp()
  }

  /// Gives the copies of the lists their final names.
  func keep(_ copies: ListCopies) {
    copies.keep(recipients: spools ?? ListSpools(), suppressed: suppression.spools)
  }

  /// Removes the copies, because the lists are not read again.
  func remove(_ copies: ListCopies) {
    copies.removeAll(recipients: sources.count, suppressed: suppression.sources.count)
  }
}

// What keeps a run from beginning.
extension RunRecipients {
  /// - Throws: `Failure` when there are no recipients, or they do not match the message.
  func refuse(_ message: Message) throws(Failure) {
    if sources.isEmpty, !mayBeEmpty { throw .noRecipients }
    if !sources.haveVariables { _ = try message.payload() }
    if !mayBeEmpty, message.apnsID != nil, !sources.isOnePush {
      throw .severalRecipients(option: "--apns-id")
    }
  }
}

extension Failure {
  package static var noRecipients: Failure {
    Failure(
      "No recipients given.", fix: "Give --to TOKEN, --tokens FILE, or both; or --channel ID.")
  }
}
