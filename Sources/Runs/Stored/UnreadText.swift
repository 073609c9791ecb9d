package import JSONText
internal import PlainText
package import PushModel
internal import Reporting

// Texts about what a stopped run has not read, for the summary, 'history show' and 'resume'.
extension UnreadRecipients {
  /// `about 30,400 recipients after line 9,600 of list.txt`
  package var words: String {
    let number = count.map { "about \(counted($0, "recipient"))" }
    let list = place.map { $0.list == "-" ? "standard input" : $0.list.printable }
    return (number ?? "an unknown number of recipients")
      + (place.map { " after line \(grouped($0.line)) of \(list ?? "")" } ?? "")
  }

}

extension UnreadRecipients: JSONDescribed {
  package static let fields: [JSONField<Self>] = [
    .always("list", \.place?.list, "The list that was being read."),
    .always("line", \.place?.line, "The last line that was read."),
    .always("recipients", \.count, "About how many recipients follow."),
  ]
}

/// The facts about a run from its earlier passes.
package struct EarlierPasses: Sendable {
  package var count = 0
  /// The recipients that they did not read; nil if one reached the end of the lists.
  package var unread: UnreadRecipients?

  package init(count: Int = 0, unread: UnreadRecipients? = nil) {
    (self.count, self.unread) = (count, unread)
  }
}
