internal import APNS
internal import HTTP2
internal import History
package import PushModel
internal import Recipients
package import Reporting
internal import SQLHistory
package import Settings

/// Sends pushes of an earlier run again.
package struct Resend: Sendable, Equatable {
  package var place: HistoryReference?
  /// The outcomes to resend; empty for all that were not accepted.
  package var only: [Outcome] = []
  /// The reasons to resend; empty for any.
  package var reasons: [String] = []
  /// The maximum number of pushes; nil for no limit.
  package var limit: Int?
  /// Includes pushes that an earlier resend got accepted.
  package var includesResent = false
  /// A value for `apns-expiration`; nil keeps the run's.
  package var expiration: String?
  /// The options on the command line, which take precedence over the run's own settings.
  package var options = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    guard let place else { throw .missingArgument("RUN-OR-ID") }
    if case .push(let id) = place, let option = choosing.first { throw .conflict(option, "\(id)") }
    if options.atMostOnce.isOn, only.contains(.unknown) {
      throw .conflict("--only unknown", "--at-most-once")
    }
    try takeMissing(of: place, context)
    let history = try options.openHistory(context)
    context.teller.warn(try reasonFilter.unknownWords(in: history))
    var choice = try choice(of: place, in: history, at: context.clock.epochMilliseconds())
    let stored = StoredRun(choice.entry)
    let origin = Origin.run(choice.entry.run, in: history.path)
    guard let kept = RunInputs(json: choice.entry.record.settings, from: origin) else {
      throw .damagedRun
    }
    choice.findRest(in: history)
    choice.named = try options.devicesByToken(context)
    let hold = try hold(choice.entry, in: history)
    let related = try RelatedRuns(of: choice.entry, in: history)
    choice.asksForAtMostOnce = options.atMostOnce.isOn
    let (list, tally) = try list(choice, related, stored, in: history, context)
    if tally.sent == 0 {
      tell(tally, choice, context)
      return Report()
    }
    let message = try message(stored, kept, context)
    let settings = try settings(kept, stored, context)
    try settings.refuseUnknownFields(Outputs.summary, context)
    let recipients = RunRecipients(
      [.resent(list)], without: Suppression([], settings, context))
    let resent = ResentPushes(entry: stored.entry, hold: hold, lineage: list.lineage)
    var order = RunOrder(
      settings, .stored(message, expiration: expiration), to: recipients, .resent(resent))
    order.devices = tally.devices
    order.earlierLists = stored.listFiles(in: history, context)
    order.tellBegun = { tell(tally, choice, context) }
    return try order.carryOut(context)
  }

  private var reasonFilter: HistoryFilter {
    var filter = HistoryFilter()
    filter.reasons = reasons
    return filter
  }

  /// The options that select among the pushes of a run.
  private var choosing: [String] {
    only.map { "--only \($0.rawValue)" } + reasons.map { "--reason \(shellWord($0))" }
      + (limit.map { ["--limit \($0)"] } ?? []) + (includesResent ? ["--include-resent"] : [])
  }

  /// A command that selects the same pushes.
  var command: String {
    let words = ["fanfare history resend"] + (place.map { ["\($0)"] } ?? []) + choosing
    return words.joined(separator: " ")
  }

  /// Takes in the results that only files have, before it is decided what was not accepted.
  private func takeMissing(
    of place: HistoryReference, _ context: Context
  ) throws(Failure) {
    if options.sendNothing { return }
    let history = try options.openHistory(context)
    let run = try run(of: place, in: history)
    let missing = MissingResults(of: run, in: history.path, Settings(), context)
    try answered(history.take(missing.rescued, of: run, now: context.clock.epochMilliseconds()))
  }

  // MARK: Selection

  private func run(
    of place: HistoryReference, in history: HistoryReader
  ) throws(Failure) -> RunNumber {
    switch place {
    case .run(let number): number
    case .last: try history.newestStoredRun().entry.run
    case .push(let id): try history.storedPush(id).run
    }
  }

  private func choice(
    of place: HistoryReference, in history: HistoryReader, at now: Int64
  ) throws(Failure) -> ResendChoice {
    switch place {
    case .run(let number): return choice(of: try history.storedRun(number), at: now)
    case .last: return choice(of: try history.newestStoredRun(), at: now)
    case .push(let id):
      let push = try history.storedPush(id)
      return ResendChoice(
        push: push, only: only, entry: try history.storedRun(push.run).entry, now: now)
    }
  }

  private func choice(of stored: StoredRun, at now: Int64) -> ResendChoice {
    ResendChoice(
      only: only, reasons: reasons, entry: stored.entry, now: now, includesResent: includesResent)
  }

  /// Holds the run: while the result lives, no process can send the run or begin to resend it.
  private func hold(
    _ entry: RunEntry, in history: HistoryReader
  ) throws(Failure) -> RunHold {
    do throws(HistoryError) {
      return try history.hold(entry.run)
    } catch {
      // A process that sends a run records that; one that resends it does not.
      if case .owned(let run, nil, _) = error { throw .beingResent(run, by: nil, pid: nil) }
      throw .history(error)
    }
  }

  private func message(
    _ stored: StoredRun, _ kept: RunInputs, _ context: Context
  ) throws(Failure) -> Message {
    let now = context.now
    let expiration = try expirationField(context)
    if expiration == nil, stored.entry.record.hasExpired(at: now * 1000) {
      throw .expired(stored.entry.run, at: stored.entry.record.expiration ?? 0, command: command)
    }
    var kept = kept
    // Payloads are rendered before sending.
    kept.resends = stored.entry.run
    return try Message(
      stored.entry.record, kept, expiration: expiration, in: RuleContext(now: now))
  }

  private func expirationField(_ context: Context) throws(Failure) -> DraftField? {
    guard let text = expiration else { return nil }
    let now = context.now
    var notes: [String] = []
    let moment = context.inUTC(text, of: "--expiration", &notes)
    for note in notes { context.teller.note(note) }
    guard let time = try? Expiration(moment, now: now) else {
      throw .badSetting(
        name: "--expiration", text: text,
        expected: "0, a span such as 1h, epoch seconds or ISO 8601")
    }
    if time.seconds > 0, time.seconds <= now {
      throw .badSetting(name: "--expiration", text: text, expected: "a time to come")
    }
    return DraftField(.expiration, time.description, from: .setting("--expiration"))
  }

  /// Records the selected pushes, and counts them.
  private func list(
    _ choice: ResendChoice, _ related: RelatedRuns, _ stored: StoredRun,
    in history: HistoryReader, _ context: Context
  ) throws(Failure) -> (list: ResentList, tally: ResendTally) {
    var payloads = try RowPayloads(of: stored, in: history, now: context.now, context)
    var rows = RowFactReader(in: history, context)
    let folder = context.scratchFolder(beside: history.path)
    var writer = ResentListWriter(
      of: choice.entry.run, channel: choice.entry.record.channel, scratchFolder: folder)
    var tally = ResendTally()
    try history.forEachStoredPush(choice.filter, newestFirst: false) { (push) throws(Failure) in
      let results = try answered(related.results(of: push.sequence))
      let found = related.reason(toLeaveOut: results, isAtMostOnce: choice.isAtMostOnce)
      let reason = choice.reason(toLeaveOut: push, found?.reason)
      if reason == nil, tally.sent == limit {
        tally.isCutOff = true
        return false
      }
      tally.add(push, leftOut: reason, results, choice)
      if reason == nil {
        writer.add(
          token: push.token, sequence: push.sequence, registered: push.registered,
          payload: try payloads.rowPayload(of: push), columns: stored.columns,
          values: stored.columns.isEmpty ? TemplateValues() : rows.facts(of: push).values)
      }
      return true
    }
    context.teller.note(rows.warnings)
    do throws(ResentListWriter.Failed) {
      return (try writer.finish(), tally)
    } catch {
      throw .file(
        FileFailure(
          path: folder, action: .write, fault: .system(error.errno), purpose: "scratch"))
    }
  }

  // MARK: Settings

  /// The run's own settings that are repeated. Timeouts and retries are set anew for each resend.
  private func settings(
    _ kept: RunInputs, _ stored: StoredRun, _ context: Context
  ) throws(Failure) -> Settings {
    var own = kept.settings.below(options)
    let running = own
    own.forget(.running)
    own.forget(.to)
    (own.rate, own.connections, own.atMostOnce) =
      (running.rate, running.connections, running.atMostOnce)
    (own.columns, own.channel) = (running.columns, running.channel)
    own.tokensFormat = Setting(.jsonl, .storedRun)
    own.duplicates = Setting(.send, .storedRun)
    // The list is removed when the run is finished, and payloads could not be rendered again.
    if stored.isTemplate { own.keepPayloads = Setting(true, .storedRun) }
    return try options.merged(over: own, context)
  }

  private func tell(_ tally: ResendTally, _ choice: ResendChoice, _ context: Context) {
    context.teller.note(
      ResendText(
        choice: choice, tally: tally, isDryRun: options.dryRun.isOn,
        isVerbose: context.teller.level == .verbose
      ).text)
  }
}

extension RowPayloads {
  /// The payload of a push that is rendered from its row; nil when it has the notification's, or
  /// its row failed to render.
  ///
  /// - Throws: `Failure.rowsGone` when it can no longer be rendered.
  fileprivate mutating func rowPayload(of push: PushEntry) throws(Failure) -> [UInt8]? {
    guard hasRows else { return nil }
    do throws(Failure) {
      let payload = try payload(of: push)
      return payload.isEmpty ? nil : payload
    } catch {
      let isOfList = error.cause(MissingList.self) != nil || error.cause(ListError.self) != nil
      throw isOfList ? .rowsGone(error, skipped: push.wasNeverSent) : error
    }
  }
}
