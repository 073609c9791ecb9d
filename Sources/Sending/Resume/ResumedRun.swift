internal import APNS
internal import HTTP2
internal import History
internal import Opening
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import SQLHistory
internal import Settings

/// The lists of a run, opened again.
struct ReopenedLists: RunRecipients {
  let sources: [RecipientSource]
  let suppression: Suppression
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
    sources = zip(lists, ends).filter { $0.1?.end.rows != 0 }.map(\.0)
    let suppressed = try inputs.suppressed.enumerated().map { (index, list) throws(Failure) in
      let source = try inputs.source(.list(list), copiedTo: copies.suppressed(index))
      if let copy = source.copy, !copy.isWhole { throw .listLost(list: list.path) }
      return source
    }
    suppression = Suppression(suppressed, settings, context)
  }

  var mayBeEmpty: Bool { true }

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

/// A run that is resumed.
struct ResumedRun: RunSource {
  let ledger: RunLedger
  let lists: ReopenedLists
  let earlier: EarlierPasses
  let files: RunOutputFiles
  let config: String?
  let committed: CommittedRun?

  /// Finds the lists of the run.
  ///
  /// - Parameter settings: all layers, merged.
  /// - Throws: `Failure.listLost` when a list that could be read only once has no copy.
  init(
    _ ledger: RunLedger, after committed: CommittedRun, _ inputs: RunInputs,
    _ settings: Settings, _ context: Context
  ) throws(Failure) {
    (self.ledger, self.committed) = (ledger, committed)
    (files, config) = (inputs.files, inputs.config)
    let entry = committed.entry
    lists = try ReopenedLists(of: entry, in: committed.history, inputs, settings, context)
    earlier = EarlierPasses(
      count: entry.resumptions + 1, unread: entry.unread, lost: lists.lost)
  }

  var sources: [RecipientSource] { lists.sources }
  var suppression: Suppression { lists.suppression }
  var mayBeEmpty: Bool { lists.mayBeEmpty }

  var step: ResultStep? { ledger.record.resultStep }

  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity { ledger.record.identity }

  func begin(_ start: RunStart) throws(Failure) -> RecordedRun {
    RecordedRun(ledger) { [lists] in lists.removeCopies() }
  }
}

extension RunRecord {
  /// The scenario's step that its pushes belong to; nil without a scenario.
  var resultStep: ResultStep? {
    kind == .scenario ? scenario.map { ResultStep(scenario: $0, number: step ?? 1) } : nil
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

/// The remainder of a run, as described before it is sent.
struct RunRemainder {
  private static let day: Int64 = 86_400

  private let plan: ResumePlan
  private let server: ServerChoice
  /// The time in seconds since 1970.
  private let now: Int64

  init(_ plan: ResumePlan, at server: ServerChoice, now: Int64) {
    (self.plan, self.server, self.now) = (plan, server, now)
  }

  var run: RunNumber { plan.run }

  /// It reaches the users of an app.
  var isForProduction: Bool { server.environment.isProduction }

  /// The run is old enough to be forgotten, or reaches the users of an app.
  var needsConsent: Bool {
    isForProduction || now - plan.record.started / 1000 > Self.day
  }

  /// A line such as `Run 3 of 2026-11-21T18:20:04Z: com.example.shop, sandbox; 450 pushes are done,
  /// 1,550 are left`.
  var text: String {
    let began = ISO8601.text(seconds: plan.record.started / 1000)
    let channel = plan.record.channel.map { "channel \($0.printable)" }
    let what = [plan.record.topic?.printable, channel, server.environment.name].compactMap(\.self)
    return "Run \(plan.run) of \(began): \(what.joined(separator: ", ")); "
      + ([done, left] + [waiting].compactMap(\.self)).joined(separator: ", ") + "."
  }

  private var done: String {
    let open = plan.tally.deferred + plan.tally.notAttempted
    let count = plan.tally.total - open - (plan.resendsUnknown ? plan.tally.unknown : 0)
    return "\(counted(count, "push", plural: "pushes")) \(count == 1 ? "is" : "are") done"
  }

  /// Claims run ahead of the lists, so the number is known only after reading them.
  private var left: String {
    guard let left = plan.left(of: nil)?.count else { return "its lists were not read to the end" }
    return "\(grouped(left)) \(left == 1 ? "is" : "are") left"
  }

  private var waiting: String? {
    let count = plan.tally.deferred - plan.deferredDue
    return count > 0 ? "\(grouped(count)) more not yet due" : nil
  }
}
