internal import APNS
package import History
internal import PushModel
internal import Recipients
package import Reporting
package import SQLHistory
package import Settings

/// The payloads and other row values of a templated run's pushes. Payloads come from the history if
/// it kept them, or are rendered again from the lists, which must not have changed.
package struct RowPayloads {
  private let stored: StoredRun
  private let history: HistoryReader
  private let renderer: (any RowRendering)?
  private let copies: ListCopies
  private var list: String?
  private var line = 0
  private var rows: Result<RowCursor, Failure>?
  private var current: Row?

  /// A row, as an index into a chunk.
  fileprivate typealias Row = (chunk: PushChunk, index: Int)

  /// - Parameter now: the value of `{{now}}`, in seconds since 1970; nil for the start of the run.
  /// - Throws: `Failure.damagedRun` if the history's record is not in this version's form.
  package init(
    of stored: StoredRun, in history: HistoryReader, now: Int64? = nil, _ context: Context
  ) throws(Failure) {
    self.stored = stored
    self.history = history
    copies = ListCopies(of: stored.entry, in: history, context)
    guard stored.isTemplate, let settings = stored.settings else {
      renderer = nil
      return
    }
    let rules = RuleContext(now: now ?? stored.entry.record.started / 1000)
    renderer = try Message(stored.entry.record, settings, in: rules).rendering
    if renderer == nil { throw .damagedRun }
  }

  package var hasRows: Bool { renderer != nil }

  /// The payload of a push. Ask for pushes in the order of their numbers.
  ///
  /// - Throws: `Failure.listChanged` or `listLost` if the row can no longer be read.
  package mutating func payload(of push: PushEntry) throws(Failure) -> [UInt8] {
    guard hasRows else { return stored.payload }
    if let kept = try answered(history.keptPayload(of: push)) { return kept }
    let (chunk, index) = try row(of: push)
    guard let payload = chunk.withPayload(at: index, { Array($0) }) else {
      throw .listChanged(path: push.list)
    }
    return payload
  }

  /// The problems because of which a row made no payload; empty if it makes one.
  ///
  /// - Throws: `Failure.listChanged` or `listLost` if the row can no longer be read.
  mutating func problems(of push: PushEntry) throws(Failure) -> [Problem] {
    guard hasRows else { return [] }
    let (chunk, index) = try row(of: push)
    return chunk.problems(at: index)?.problems ?? []
  }

  /// The values of the list columns included in the run's results.
  ///
  /// - Throws: `Failure.listChanged` or `listLost` if the row can no longer be read.
  mutating func columns(of push: PushEntry) throws(Failure) -> TemplateValues {
    let (chunk, index) = try row(of: push)
    var values = TemplateValues()
    for column in stored.columns.indices {
      chunk.withListed(column, at: index) { values.append($0, $1) }
    }
    return values
  }

  /// The row of a push. Reading continues from the last row if the pushes come in order.
  private mutating func row(of push: PushEntry) throws(Failure) -> Row {
    if let current, list == push.list, line == push.line { return current }
    // The same list may be given twice. A lost list is searched for only once.
    if list != push.list || push.line <= line {
      rows = Result { [stored, copies, renderer] () throws(Failure) in
        try RowCursor(stored, from: push, copies, renderer)
      }
      list = push.list
    }
    (line, current) = (push.line, nil)
    guard let row = try rows?.get().row(atLine: push.line) else {
      throw .listChanged(path: push.list)
    }
    current = row
    return row
  }
}

/// The rendered rows of a list, by line.
private final class RowCursor {
  private var reader: RecipientReader
  private var chunk: PushChunk?
  private var index = 0

  init(
    _ stored: StoredRun, from push: PushEntry, _ copies: ListCopies,
    _ renderer: (any RowRendering)?
  ) throws(Failure) {
    let source = try stored.source(named: push.list, copies)
    reader = try attempt(
      try RecipientReader(
        [source], format: stored.format, selection: RecipientSelection(duplicates: .send),
        rendering: renderer, listed: stored.columns, firstLine: push.line)
    ) { .list($0) }
  }

  /// The row at a line, as an index into a chunk; nil if there is none.
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
  /// The list columns included in its results.
  package var columns: [String] { settings?.settings.columns?.value ?? [] }

  fileprivate var format: ListFormat { settings?.settings.listFormat ?? .txt }

  /// A list of the run in a form that can be reread.
  fileprivate func source(
    named list: String, _ copies: ListCopies
  ) throws(Failure) -> RecipientSource {
    for (index, recipients) in (settings?.recipients ?? []).enumerated() {
      switch recipients {
      case .tokens(let tokens, let name) where name == list: return .tokens(tokens, name: name)
      case .channel(let id, let name) where name == list: return .channel(id, name: name)
      case .list(let known) where known.path == list:
        return try settings?.unchanged(known, copiedTo: copies.recipients(index))
          ?? .file(known.path)
      case .tokens, .channel, .list: continue
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
