internal import APNS
internal import PlainText
internal import PushCore

/// Why no request was made for a push.
enum SkippedCause {
  /// What its row made of the template breaks rules.
  case problems([Problem])
  /// Its `apns-expiration`, in seconds since 1970, had passed.
  case expired(Int64)
  /// That cannot be told any more.
  case untold(Failure)

  /// Sentences, each a line.
  var lines: [String] {
    switch self {
    case .problems(let problems):
      problems.filter { $0.severity == .error }.map { "\($0.message) \($0.fix) [\($0.rule)]" }
    case .expired(let time): ["Its apns-expiration had passed: \(ISO8601.text(seconds: time))."]
    case .untold(let failure):
      ["Its row broke a rule, and cannot be read again. \(FailureText.sentences(failure).what)"]
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
