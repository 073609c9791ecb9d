internal import APNS
internal import PushModel
package import Recipients
package import Reporting
internal import Settings

extension RunPlan {
  /// Opens the lists of recipients, whose rows fill the payloads.
  ///
  /// - Throws: `Failure` when there are none, or possibly several with an option for a single one.
  package func openRecipients() throws(Failure) -> sending RecipientReader {
    try recipients.refuse(message)
    return try recipients.reader(message.rendering, lists, context)
  }
}

extension RunRecipients {
  /// Opens the lists.
  ///
  /// - Parameter rendering: renders the payload values of each row; nil when all are the same.
  func reader(
    _ rendering: (any RowRendering)?, _ lists: ListChoices, _ context: Context
  ) throws(Failure) -> sending RecipientReader {
    let spools = prepareSpools(beside: lists.copiesBeside, context)
    let selection = try selection(lists)
    return try attempt(
      try RecipientReader(
        sources, format: lists.format, selection: selection, rendering: rendering,
        listed: lists.listed,
        // Missing columns of a continued run were checked when it began, or allowed.
        refusesMissing: !mayBeEmpty, spools: spools, chunkSize: lists.chunkSize,
        report: SkippedLines("bad lines", context.teller).add)
    ) { .list($0) }
  }
}
