internal import APNS
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Settings

/// The recipients of a run before it is sent: read without being used up, so a pipe is not read at all.
struct PlannedRecipients {
  /// Every list can be read ahead.
  let canAllBeRead: Bool
  private let sources: [RecipientSource]
  private let selection: RecipientSelection
  private let format: ListFormat
  /// The ledger of a run that is resumed, whose pushes are not all open.
  private let resuming: (any ResumeLedger)?
  private let context: Context

  /// - Throws: `Failure.list` when a list of `--suppress` cannot be read.
  init(
    _ recipients: RunRecipients, _ lists: ListChoices, _ origin: RunOrigin, _ context: Context
  ) throws(Failure) {
    sources = recipients.sources.filter(\.canBeReadAhead)
    canAllBeRead = sources.count == recipients.sources.count
    (selection, format) = (try recipients.selection(lists), lists.format)
    (resuming, self.context) = (origin.resuming, context)
  }

  /// A device may be among them more than once.
  var mayRepeat: Bool { selection.duplicates == .send }

  /// Visits the pushes in order, until `body` returns false.
  ///
  /// - Parameter rendering: what is made of each row; nil for nothing.
  /// - Throws: `Failure.list` when a list cannot be read.
  func forEachPush(
    _ rendering: (any RowRendering)?, _ body: (Push) -> Bool
  ) throws(Failure) {
    let open = try resuming.map { (ledger) throws(Failure) in try OpenPushes(of: ledger, context) }
    var reader = try reader(rendering)
    while let chunk = try reader.nextChunk() {
      for push in chunk.pushes {
        if try open?.leaves(push) ?? false { continue }
        if !body(push) { return }
      }
    }
  }

  private func reader(
    _ rendering: (any RowRendering)?
  ) throws(Failure) -> RecipientReader {
    try attempt(
      try RecipientReader(sources, format: format, selection: selection, rendering: rendering)
    ) { .list($0) }
  }

  /// What tells whether a list has changed that is not read to its end.
  func prints() throws(Failure) -> [String] {
    try sources.compactMap(\.path).map { (path) throws(Failure) in
      try attempt(try ListFingerprint(path: path)) { .list($0) }
    }.compactMap { print in print.map { "\($0.size) \(hexadecimal($0.digest))" } }
  }
}

extension RecipientSource {
  fileprivate var canBeReadAhead: Bool { if case .resent = self { true } else { !isReadOnce } }
}
