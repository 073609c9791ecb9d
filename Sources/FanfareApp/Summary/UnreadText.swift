internal import JSONText
internal import PlainText
internal import PushModel

// What a stopped run has not read, as the summary, 'history show' and 'resume' all say it.
extension UnreadRecipients {
  /// `about 30,400 recipients after line 9,600 of list.txt`
  var words: String {
    let number = count.map { "about \(counted($0, "recipient"))" }
    let list = place.map { $0.list == "-" ? "standard input" : $0.list.printable }
    return (number ?? "an unknown number of recipients")
      + (place.map { " after line \(grouped($0.line)) of \(list ?? "")" } ?? "")
  }

  /// The member `unread` of a summary.
  var json: JSON {
    [
      "list": .text(place?.list), "line": .number(place?.line), "recipients": .number(count),
    ]
  }
}

/// What is known of a run from the passes before this one.
struct EarlierPasses: Sendable {
  var count = 0
  /// What they did not read; nil when one came to the end of the lists.
  var unread: UnreadRecipients?
}
