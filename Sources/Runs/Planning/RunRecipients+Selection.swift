internal import PushModel
internal import Recipients
internal import Reporting

extension RunRecipients {
  /// The rows to send to.
  func selection(_ lists: ListChoices) throws(Failure) -> RecipientSelection {
    do throws(ListError) {
      var selection = lists.selection
      selection.suppressed = try suppression.tokens()
      return selection
    } catch {
      throw .list(error)
    }
  }
}
