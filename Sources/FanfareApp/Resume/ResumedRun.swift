internal import APNS
internal import HTTP2
internal import PlainText
internal import Projects
internal import PushModel
internal import Recipients

/// A run that is resumed, and its lists as they can be read again.
struct ResumedRun: RunSource {
  /// Its ledger, which holds the plan.
  let ledger: any RunLedger
  /// Who is sent to.
  let sources: [RecipientSource]
  let suppression: Suppression
  /// Lists whose copies end before the lists did, with the rows that are known of each.
  let cutOff: [(list: String, rows: Int)]

  /// Where copies of its lists are.
  let copies: CopyPlace
  /// How many lists it had when it began.
  let recipients: Int
  /// How many lists of `--suppress` it had.
  let suppressed: Int

  /// Finds the lists again.
  ///
  /// - Parameters:
  ///   - kept: what the history keeps of the run.
  ///   - settings: the merged settings.
  /// - Throws: `Failure.listLost` when there is no copy of one that could be read only once.
  init(
    _ ledger: any RunLedger, _ kept: RunSettings, _ settings: Settings, history: String,
    _ context: Context
  ) throws(Failure) {
    self.ledger = ledger
    let copies = CopyPlace(history: history, run: ledger.run.rawValue)
    self.copies = copies
    recipients = kept.recipients.count
    suppressed = kept.suppressed.count
    var lists = try kept.recipients.enumerated().map { (index, list) throws(Failure) in
      try kept.source(list, copiedTo: copies.recipients(index))
    }
    cutOff = try Self.cutOff(lists, settings.listFormat)
    let empty = cutOff.filter { $0.rows == 0 }.map(\.list)
    lists.removeAll { $0.isCutOff && empty.contains($0.name) }
    sources = lists
    let notSent = try kept.suppressed.enumerated().map { (index, list) throws(Failure) in
      let source = try kept.source(.list(list), copiedTo: copies.suppressed(index))
      if source.isCutOff { throw .listLost(list: list.path) }
      return source
    }
    suppression = Suppression(notSent, settings, context)
  }

  var mayBeEmpty: Bool { true }

  var continuesResults: Bool { true }

  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool] {
    [:]
  }

  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity { ledger.record.identity }

  func book(_ start: RunStart) throws(Failure) -> RunBook {
    RunBook(resuming: ledger, (copies, recipients, suppressed), start.context)
  }

  private static func cutOff(
    _ lists: [RecipientSource], _ format: ListFormat
  ) throws(Failure) -> [(list: String, rows: Int)] {
    var found: [(list: String, rows: Int)] = []
    for list in lists {
      if let cutOff = try list.cutOff(as: format) { found.append(cutOff) }
    }
    return found
  }
}

extension RunSettings {
  /// Where recipients can be read again.
  fileprivate func source(
    _ recipients: Recipients, copiedTo path: String
  ) throws(Failure) -> RecipientSource {
    switch recipients {
    case .tokens(let tokens, let name): return .tokens(tokens, name: name)
    case .list(let list):
      return list.fingerprint == nil ? try copy(of: list, at: path) : .file(fromHere(list.path))
    }
  }

  /// The copy of a list that could be read only once.
  ///
  /// - Throws: `Failure.listLost` when there is none.
  func copy(of list: List, at path: String) throws(Failure) -> RecipientSource {
    guard let copy = ListCopy(of: list.path, at: path) else { throw .listLost(list: list.path) }
    return resends == nil ? .copy(copy) : .resent(ResentList(copy))
  }
}

extension RecipientSource {
  fileprivate var isCutOff: Bool { copy.map { !$0.isWhole } ?? false }

  private var copy: ListCopy? {
    switch self {
    case .copy(let copy): copy
    case .resent(let list): list.copy
    case .tokens, .file, .standardInput: nil
    }
  }

  /// The list and how many rows are known of it; nil when that is all of them.
  fileprivate func cutOff(as format: ListFormat) throws(Failure) -> (list: String, rows: Int)? {
    guard let copy, !copy.isWhole else { return nil }
    do throws(ListError) {
      return (copy.name, try copy.rowCount(as: format))
    } catch {
      if case .unreadable = error.fault { throw .list(error) }
      // A table that was cut off within its header.
      return (copy.name, 0)
    }
  }
}
