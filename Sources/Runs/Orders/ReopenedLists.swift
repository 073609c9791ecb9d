internal import HTTP2
internal import History
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import SQLHistory
internal import Settings

/// The lists of a run, opened again.
struct ReopenedLists {
  let recipients: RunRecipients
  /// Lists whose copies are incomplete, with the end of each copy.
  let cutOff: [(list: String, end: (rows: Int, line: Int))]

  private let inputs: RunInputs
  private let copies: ListCopies

  /// Finds the lists of the run.
  ///
  /// - Parameter settings: all layers, merged.
  /// - Throws: `Failure.listLost` when a list that could be read only once has no copy.
  init(
    of entry: RunEntry, in history: HistoryReader, _ inputs: RunInputs, _ settings: Settings,
    _ context: Context
  ) throws(Failure) {
    self.inputs = inputs
    let copies = ListCopies(of: entry, in: history, context)
    self.copies = copies
    let lists = try inputs.recipients.enumerated().map { (index, list) throws(Failure) in
      try inputs.source(list, copiedTo: copies.recipients(index))
    }
    let ends = try lists.map { (list) throws(Failure) in
      try list.cutOff(as: settings.listFormat)
    }
    cutOff = ends.compactMap(\.self)
    let sources = zip(lists, ends).filter { $0.1?.end.rows != 0 }.map(\.0)
    let suppressed = try inputs.suppressed.enumerated().map { (index, list) throws(Failure) in
      let source = try inputs.source(.list(list), copiedTo: copies.suppressed(index))
      if let copy = source.copy, !copy.isWhole { throw .listLost(list: list.path) }
      return source
    }
    recipients = RunRecipients(
      sources, without: Suppression(suppressed, settings, context), spools: nil)
  }

  /// Removes the copies, because the lists are not read again.
  func removeCopies() {
    copies.removeAll(recipients: inputs.recipients.count, suppressed: inputs.suppressed.count)
  }

  /// The recipients that can no longer be read; nil for none.
  var lost: UnreadRecipients? {
    cutOff.first.map { list, end in
      UnreadRecipients(after: end.rows == 0 ? nil : .init(list: list, line: end.line))
    }
  }

  /// Reports lost recipients, even with --quiet, because nothing else does.
  func tellCutOff(_ context: Context) {
    for (list, (rows, _)) in cutOff {
      let name = list == "-" ? "standard input" : list.printable
      let known = rows == 1 ? "1 line is known" : "\(grouped(rows)) lines are known"
      context.teller.warn(
        "\(name) was not read to its end: \(known). The rest is lost: send to those recipients with "
          + "'fanfare send'.")
    }
  }
}

extension RunInputs {
  fileprivate func source(
    _ recipients: Recipients, copiedTo path: String
  ) throws(Failure) -> RecipientSource {
    switch recipients {
    case .tokens(let tokens, let name): return .tokens(tokens, name: name)
    case .channel(let id, let name): return .channel(id, name: name)
    case .list(let list):
      return list.fingerprint == nil ? try copy(of: list, at: path) : .file(fromHere(list.path))
    }
  }
}

extension RecipientSource {
  fileprivate var copy: ListCopy? {
    switch self {
    case .copy(let copy): copy
    case .resent(let list): list.copy
    case .tokens, .channel, .file, .standardInput: nil
    }
  }

  /// The list and the end of its copy; nil when the copy is complete.
  fileprivate func cutOff(
    as format: ListFormat
  ) throws(Failure) -> (list: String, end: (rows: Int, line: Int))? {
    guard let copy, !copy.isWhole else { return nil }
    do throws(ListError) {
      return (copy.name, try copy.end(as: format))
    } catch {
      if case .unreadable = error.fault { throw .list(error) }
      // The copy of a table ends within the header.
      return (copy.name, (0, 0))
    }
  }
}
