internal import PushModel
internal import Recipients
internal import Reporting

extension RunRecipients {
  /// The rows to send to.
  func selection(_ lists: ListChoices) throws(Failure) -> RecipientSelection {
    var selection = lists.selection
    selection.suppressed = try attempt(try suppression.tokens()) { .list($0) }
    return selection
  }
}
