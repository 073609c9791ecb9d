internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import History
internal import PlainText
internal import PushModel
internal import Recipients
internal import SQLiteHistory

/// Sends pushes of an earlier run again.
struct Resending {
  let command: HistoryResend
  let place: HistoryPlace
  let history: HistoryReader
  let context: Context

  func run() throws(Failure) -> ExitCode {
    var choice = try choice()
    let stored = StoredRun(choice.entry)
    guard let settings = stored.settings else { throw .damagedRun }
    let hold = try hold(choice.entry)
    let related = try RelatedRuns(of: choice.entry, in: history)
    choice.resends = related.resends
    let (list, tally) = try list(choice, related, stored)
    if tally.sent == 0 {
      tell(tally, choice)
      return .success
    }
    let message = try message(stored, settings)
    return try sending(list, hold, stored, settings).run(message) { tell(tally, choice) }
  }

  // MARK: What to send

  private func choice() throws(Failure) -> ResendChoice {
    let only = command.only.map(\.outcome)
    let now = context.clock.epochMilliseconds()
    switch place {
    case .run(let number):
      return ResendChoice(
        only: only, entry: try history.storedRun(number).entry, now: now,
        includesResent: command.includesResent)
    case .push(let id):
      let push = try history.storedPush(id)
      return ResendChoice(
        push: push, only: only, entry: try history.storedRun(push.run).entry, now: now)
    }
  }

  /// While this lives nobody sends the run, and no other resend of it can begin.
  private func hold(_ entry: RunEntry) throws(Failure) -> RunHold {
    do throws(HistoryError) {
      return try history.hold(entry.run)
    } catch {
      // Who sends a run writes down that it does so; another resend does not.
      if case .owned(let run, nil, _) = error {
        throw .beingResent(run, by: nil, pid: nil)
      }
      throw .history(error)
    }
  }

  private func message(_ stored: StoredRun, _ settings: RunSettings) throws(Failure) -> Message {
    let now = context.clock.epochSeconds
    let expiration = try expiration(now)
    if expiration == nil, stored.entry.record.hasExpired(at: now * 1000) {
      throw .expired(
        stored.entry.run, at: stored.entry.record.expiration ?? 0, command: command.text)
    }
    var settings = settings
    // Its payloads are made before they are sent.
    settings.resends = stored.entry.run
    return try Message(
      stored.entry.record, settings, expiration: expiration, in: RuleContext(now: now))
  }

  private func expiration(_ now: Int64) throws(Failure) -> DraftField? {
    guard let text = command.expiration else { return nil }
    guard let time = try? Expiration(text, now: now) else {
      throw .badSetting(
        name: "--expiration", text: text,
        expected: "0, a span such as 1h, epoch seconds or ISO 8601")
    }
    if time.seconds > 0, time.seconds <= now {
      throw .badSetting(name: "--expiration", text: text, expected: "a time to come")
    }
    return DraftField(.expiration, time.description, from: .setting("--expiration"))
  }

  /// Writes the pushes down that fit, and counts them.
  private func list(
    _ choice: ResendChoice, _ related: RelatedRuns, _ stored: StoredRun
  ) throws(Failure) -> (list: ResentList, tally: ResendTally) {
    var payloads = try RowPayloads(of: stored, in: history, now: context.clock.epochSeconds)
    var writer = ResentListWriter(
      of: choice.entry.run, scratchFolder: context.scratchFolder(beside: history.path))
    var tally = ResendTally()
    try history.forEachStoredPush(choice.filter, newestFirst: false) { (push) throws(Failure) in
      let results = try history.asking { (_) throws(HistoryError) in
        try related.results(of: push.sequence)
      }
      let reason = choice.reason(toLeaveOut: push, related.reason(toLeaveOut: results)?.reason)
      tally.add(push, leftOut: reason, results, choice)
      if reason == nil {
        writer.add(
          token: push.token, sequence: push.sequence, registered: push.registered,
          payload: try payloads.rowPayload(of: push))
      }
      return true
    }
    do throws(ResentListWriter.Failed) {
      return (try writer.finish(), tally)
    } catch {
      throw .file(
        FileFailure(
          path: context.scratchFolder(beside: history.path), action: .write,
          fault: .system(error.errno), purpose: "scratch"))
    }
  }

  // MARK: How to send it

  private func sending(
    _ list: ResentList, _ hold: RunHold, _ stored: StoredRun, _ settings: RunSettings
  ) throws(Failure) -> Sending {
    var options = try settings.options(command.server, command.credentials, command.telling)
    let limits = options.running
    options.running = command.running
    options.running.rate = command.running.rate ?? limits.rate
    options.running.connections = command.running.connections ?? limits.connections
    options.running.atMostOnce = command.running.atMostOnce || limits.atMostOnce
    let context = context.naming(options.server.profile)
    if let profile = try context.profile() { options.running.fill(from: profile) }
    options.to = RecipientOptions()
    options.to.format = .jsonl
    options.to.duplicates = .send
    // The list is gone when the run is finished, and nothing could make them again.
    if stored.isTemplate { options.telling.keepPayloads = true }
    let record = stored.entry.record
    let resent = ResentPushes(
      run: stored.entry.run, scenario: record.scenario, step: record.step, hold: hold, list: list)
    return Sending(
      options: options, scenario: nil, context: context, resent: resent,
      suppression: Suppression([], options, context))
  }

  private func tell(_ tally: ResendTally, _ choice: ResendChoice) {
    guard !command.telling.quiet else { return }
    let text = ResendText(choice: choice, tally: tally, isDryRun: command.running.dryRun)
    context.errors.write(text.text)
    context.errors.flush()
  }
}

extension RowPayloads {
  /// The payload that a push needs in its row; nil when it has the notification's, and when its row
  /// made none.
  ///
  /// - Throws: `Failure.rowsGone` when it cannot be made any more.
  fileprivate mutating func rowPayload(of push: PushEntry) throws(Failure) -> [UInt8]? {
    guard hasRows else { return nil }
    do throws(Failure) {
      let payload = try payload(of: push)
      return payload.isEmpty ? nil : payload
    } catch {
      let isOfList = error.cause is LostList || error.cause is ListError
      throw isOfList ? .rowsGone(error, skipped: push.wasNeverSent) : error
    }
  }
}
