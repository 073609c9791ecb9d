internal import PlainText
internal import PushModel

extension SentSince {
  /// What became of pushes that are left of the run: the end of a sentence.
  var counts: String {
    let arrived = sorted(accepted).map { run, count in
      "\(grouped(count)) \(count == 1 ? "was" : "were") accepted by run \(run)"
    }
    let doubtful = sorted(inDoubt).map { run, count in
      "\(grouped(count)) may have arrived with run \(run)"
    }
    return (arrived + doubtful).joined(separator: ", ")
  }

  /// What to do about it.
  var fix: String {
    let force = "'fanfare resume \(run) --force'"
    if isAll { return "Nothing else is left of it. \(force) sends those again." }
    let resend =
      "'fanfare history resend \(source)' leaves these out; \(force) sends them again."
    return isOpen ? resend + " Only the latter sends pushes without a result." : resend
  }

  private func sorted(_ counts: [RunNumber: Int]) -> [(RunNumber, Int)] {
    counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
