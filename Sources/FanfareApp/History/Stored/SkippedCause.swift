internal import APNS
internal import History
internal import PlainText
internal import PushModel

/// Why no request was made for a push.
enum SkippedCause {
  /// What its row made of the template breaks rules.
  case problems([Problem])
  /// Its `apns-expiration`, in seconds since 1970, had passed.
  case expired(Int64)
  /// It was skipped already in the run that was resent, which tells why. Nil: that run is gone.
  case skippedBefore(RunNumber, APNSID?)
  /// That cannot be told any more.
  case untold(Failure)

  /// Sentences, each a line.
  var lines: [String] {
    switch self {
    case .problems(let problems):
      problems.filter { $0.severity == .error }.map { "\($0.message) \($0.fix) [\($0.rule)]" }
    case .expired(let time): ["Its apns-expiration had passed: \(ISO8601.text(seconds: time))."]
    case .skippedBefore(let run, let id?):
      ["It was already skipped in run \(run): 'fanfare history show \(id)' shows why."]
    case .skippedBefore(let run, nil):
      ["It was already skipped in run \(run), which is no longer in the history."]
    case .untold(let failure):
      ["Its row broke a rule and cannot be read again. \(failure.sentence)"]
    }
  }
}

extension RowPayloads {
  /// Why no request was made for a push; nil for one that was sent.
  func skippedCause(of push: PushEntry, in stored: StoredRun) -> SkippedCause? {
    guard push.wasNeverSent else { return nil }
    let record = stored.entry.record
    let expired = record.hasExpired(at: push.at) ? record.expiration : nil
    do throws(Failure) {
      let problems = try problems(of: push)
      return problems.isEmpty ? expired.map { .expired($0) } : .problems(problems)
    } catch {
      return expired.map { .expired($0) } ?? .untold(error)
    }
  }
}

extension StoredRun {
  /// Where a push of a resend was skipped first; nil when it was not, or when it had been sent there.
  func skippedBefore(
    _ push: PushEntry, _ history: any HistoryStore
  ) throws(Failure) -> SkippedCause? {
    guard push.wasNeverSent, let resends = entry.record.resends else { return nil }
    let expired = entry.record.hasExpired(at: push.at)
    guard let older = try answered(history.run(resends)) else {
      return expired ? nil : .skippedBefore(resends, nil)
    }
    // Its line is its number there.
    let id = older.record.identity.apnsID(ofSequence: UInt64(push.line))
    let wasSent = try answered(history.push(id)).map { !$0.wasNeverSent } ?? true
    return wasSent ? nil : .skippedBefore(resends, id)
  }
}
