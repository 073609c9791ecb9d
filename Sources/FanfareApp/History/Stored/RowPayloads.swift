internal import APNS
internal import History
internal import Projects
internal import PushModel
internal import Recipients

/// The payloads of pushes of a run whose rows filled a template: from the history where they were
/// kept, else made anew of the lists, which have to be what they were.
struct RowPayloads {
  private let stored: StoredRun
  private let history: any HistoryStore
  private let renderer: (any RowRendering)?
  private var list: String?
  private var line = 0
  private var rows: Result<RowCursor, Failure>?

  /// - Parameter now: what `{{now}}` stands for, in seconds since 1970; nil for the start of the run.
  /// - Throws: `Failure.damagedRun` when the history does not hold what this version wrote.
  init(
    of stored: StoredRun, in history: any HistoryStore, now: Int64? = nil
  ) throws(Failure) {
    self.stored = stored
    self.history = history
    guard stored.isTemplate, let settings = stored.settings else {
      renderer = nil
      return
    }
    let rules = RuleContext(now: now ?? stored.entry.record.started / 1000)
    renderer = try Message(stored.entry.record, settings, in: rules).rendering
    if renderer == nil { throw .damagedRun }
  }

  var hasRows: Bool { renderer != nil }

  /// The payload of a push. Those asked for must come in the order of their numbers.
  ///
  /// - Throws: `Failure.listChanged` or `listLost` when the row cannot be read any more.
  mutating func payload(of push: PushEntry) throws(Failure) -> [UInt8] {
    guard let renderer else { return stored.payload }
    if let kept = try answered(history.keptPayload(of: push)) { return kept }
    // The same list may have been named twice.
    if list != push.list || push.line <= line {
      rows = cursor(from: push, renderer)
      list = push.list
    }
    line = push.line
    guard let (chunk, index) = try rows?.get().row(atLine: push.line),
      let payload = chunk.withPayload(at: index, { Array($0) })
    else { throw .listChanged(path: push.list) }
    return payload
  }

  /// What a row breaks, so that it made no payload; empty when it makes one.
  ///
  /// - Throws: `Failure.listChanged` or `listLost` when the row cannot be read any more.
  func problems(of push: PushEntry) throws(Failure) -> [Problem] {
    guard let renderer else { return [] }
    guard let (chunk, index) = try cursor(from: push, renderer).get().row(atLine: push.line) else {
      throw .listChanged(path: push.list)
    }
    return chunk.problems(at: index)?.problems ?? []
  }

  /// A list that is lost is looked for once.
  private func cursor(
    from push: PushEntry, _ renderer: any RowRendering
  ) -> Result<RowCursor, Failure> {
    Result { () throws(Failure) in
      try RowCursor(stored, from: push, history: history.path, renderer)
    }
  }
}

/// Rendered rows of a list, by their lines.
private final class RowCursor {
  private var reader: RecipientReader
  private var chunk: PushChunk?
  private var index = 0

  init(
    _ stored: StoredRun, from push: PushEntry, history: String, _ renderer: any RowRendering
  ) throws(Failure) {
    let source = try stored.source(named: push.list, history: history)
    do throws(ListError) {
      reader = try RecipientReader(
        [source], format: stored.format, selection: RecipientSelection(duplicates: .send),
        rendering: renderer, firstLine: push.line)
    } catch {
      throw .list(error)
    }
  }

  /// The row at a line, as a place in a chunk; nil when there is none.
  func row(atLine line: Int) throws(Failure) -> (chunk: PushChunk, index: Int)? {
    while let chunk = try current(), chunk.line(at: index) <= line {
      defer { index += 1 }
      if chunk.line(at: index) == line { return (chunk, index) }
    }
    return nil
  }

  private func current() throws(Failure) -> PushChunk? {
    if let chunk, index < chunk.count { return chunk }
    (chunk, index) = (try reader.nextChunk(), 0)
    return chunk
  }
}

extension StoredRun {
  fileprivate var format: ListFormat { settings?.settings.listFormat ?? .txt }

  /// A list of the run, as it can be read again.
  fileprivate func source(
    named list: String, history: String
  ) throws(Failure) -> RecipientSource {
    let copies = ListCopies(history: history, run: entry.run.rawValue)
    for (index, recipients) in (settings?.recipients ?? []).enumerated() {
      switch recipients {
      case .tokens(let tokens, let name) where name == list: return .tokens(tokens, name: name)
      case .list(let known) where known.path == list:
        return try settings?.unchanged(known, copiedTo: copies.recipients(index))
          ?? .file(known.path)
      case .tokens, .list: continue
      }
    }
    throw .listLost(list: list)
  }
}

extension RunInputs {
  fileprivate func unchanged(
    _ list: List, copiedTo copy: String
  ) throws(Failure) -> RecipientSource {
    if list.fingerprint == nil { return try self.copy(of: list, at: copy) }
    let path = fromHere(list.path)
    try list.refuseChanged(at: path)
    return .file(path)
  }
}
