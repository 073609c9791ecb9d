internal import APNS
internal import History
package import JSONText
internal import PlainText
internal import PushModel
package import Reporting
internal import Runs
internal import SQLHistory

// The JSON of a run in 'history list', 'show' and 'tail': stable, documented in docs/formats.md.
// Fields with labels are also shown to people by 'show'.
extension RunEntry {
  static let fields = origin + outcomes + [lines]

  /// The notification, its times and how the run ended.
  static let origin: [OutputField<Self>] = [
    .always(
      "run", \.run.rawValue, "The run's number.", as: "run", { StyledText("\($0.run)", .bold) }),
    .always("began", \.record.started, "When it began, in milliseconds since 1970.", as: "began") {
      moment($0.record.started)
    },
    .always("ended", \.ended, "When it ended; null while it has not.", as: "ended") {
      $0.ended.map(moment)
    },
    .always("state", \.state, "How far it has come.", as: "state") {
      $0.standing.map { .init($0, .doubtful) }
    },
    .sometimes(
      "stopped", \.stop?.at, "When it was stopped in the queue, in milliseconds since 1970.",
      as: "stopped", { $0.stop.map { moment($0.at) } }),
    .sometimes("stopCause", { $0.stop.map(\.cause) }, "Why it was stopped.", as: "because") {
      $0.stop?.cause.map { StyledText($0) }
    },
    .always("passes", { $0.resumptions + 1 }, "1, plus one for each resume.", as: "resumed") {
      $0.resumptions > 0 ? StyledText(counted($0.resumptions, "time")) : nil
    },
    .always(
      "kind", \.record.kind.rawValue, "What made it.", .word(["send", "scenario", "resend"])),
    .always("scenario", \.record.scenario, "The scenario's name.", as: "scenario"),
    .always("step", \.record.step, "The step's number.", as: "step"),
    .always(
      "environment", \.record.environment,
      "production, sandbox, emulator, inbox, or the server's URL.", as: "environment"),
    .always(
      "server", \.record.server, "The server's URL; null for the emulator inside.", as: "server"),
    .always("pushType", \.record.pushType, "The push type."),
    .always("topic", \.record.topic, "The topic; of a push to a channel, the bundle ID."),
    .always("channel", \.record.channel, "The broadcast channel; null for devices."),
    .always("version", \.record.version, "The version of fanfare that sent it.", as: "sent by") {
      "fanfare \($0.record.version)"
    },
  ]

  /// The number of pushes by outcome.
  static let outcomes: [OutputField<Self>] = [
    .always("lines", \.recipients.lines, "Lines read."),
    .always("total", \.completeTally.total, "Pushes: the sum of the six outcomes."),
    .outcomes(\.completeTally) { _, outcome, count in
      count > 0 || outcome == .accepted ? StyledText(grouped(count), outcome.tone) : nil
    },
  ]

  /// The numbers of lines that are not recipients.
  static let lines = OutputField<Self>.all(
    RecipientCounts.fields(badLines: .plain), of: \.recipients)
}

extension Outputs {
  /// A run: a line of `history list`.
  package static let run = ListedRun.fields.keys()
}

/// A run in 'history list', with the runs that sent its pushes again.
struct ListedRun: JSONDescribed {
  let entry: RunEntry
  let resends: Resends

  static let fields: [OutputField<Self>] = [
    .all(RunEntry.fields) { $0.entry },
    .always("unread", \.entry.unread, "What of its lists was not read."),
    .all(Resends.fields) { $0.resends },
  ]

  /// A row of 'history list'.
  ///
  /// - Parameter only: the push of a run that has no other.
  func row(_ only: PushEntry?, showsToken: Bool) -> [Report.Part] {
    let (tally, record) = (entry.completeTally, entry.record)
    let others = Outcome.allCases.filter { $0 != .accepted && tally[$0] > 0 }
    let counts = others.map { "\(grouped(tally[$0])) \($0.words)" }
    let results = only.map { [$0.briefly, $0.recipient(showsToken: showsToken)] } ?? counts
    let resent = resends.words.map { "resent by \($0)" }
    let lost = entry.state == .finished ? entry.unread.map { "not read: \($0.words)" } : nil
    let told = results + [entry.standing, lost, resent].compactMap(\.self)
    let tone: StyledText.Tone =
      others.isEmpty && lost == nil ? .plain : tally.rejected + tally.skipped > 0 ? .bad : .doubtful
    return [
      .number(entry.run), .text("began", moment(record.started)),
      .text(
        StyledText("environment").orShort("env"),
        StyledText(record.environment).orShort(record.shortPlace)),
      .text(
        StyledText("notification").orShort("push"),
        StyledText(record.title).orShort(record.shortTitle)),
      .count(StyledText("pushes").orShort("all"), entry.pushes),
      .count(StyledText("accepted").orShort("ok"), tally.accepted, .good),
      .text("results", StyledText(told.joined(separator: ", "), tone)),
      .text(.optional("apns-id"), .verbatim(only?.apnsID.description ?? "")),
    ]
  }
}

/// The runs that sent pushes of a run again, oldest first.
struct Resends {
  let runs: [RunEntry]
  /// The environment of the run whose pushes they are.
  let environment: String

  /// - Parameter resends: all runs of a history that sent pushes again, newest first.
  init(of entry: RunEntry, among resends: [RunEntry]) {
    runs = resends.filter { $0.record.resends == entry.run }.reversed()
    environment = entry.record.environment
  }

  static let fields: [OutputField<Self>] = [
    .always(
      "resentBy", { $0.runs.map(\.run.rawValue) }, "The runs that sent its pushes again.",
      as: "resent by"
    ) { $0.words.map { StyledText($0) } },
    .always("acceptedLater", \.accepted, "How many pushes these got accepted."),
  ]

  private var accepted: Int { runs.reduce(0) { $0 + $1.tally.accepted } }

  /// `run 13 (48 accepted, 2 deferred)`, with the environment if it is another; nil if there are
  /// none.
  var words: String? { runs.isEmpty ? nil : runs.map(words).joined(separator: ", ") }

  private func words(_ run: RunEntry) -> String {
    let outcomes = Outcome.allCases.filter { $0 == .accepted || run.completeTally[$0] > 0 }
    let counts = outcomes.map { "\(grouped(run.completeTally[$0])) \($0.words)" }
    let place = run.record.environment == environment ? [] : [run.record.environment]
    return "run \(run.run) (\((counts + place).joined(separator: ", ")))"
  }
}

extension HistoryReader {
  /// The runs that sent pushes of others again, newest first.
  func resends() throws(Failure) -> [RunEntry] {
    var (filter, found) = (HistoryFilter(), [RunEntry]())
    filter.kind = .resend
    try forEachStoredRun(filter) { run in
      found.append(run)
      return true
    }
    return found
  }

  /// The push of a run that has no other; nil if it has more, or none with a result.
  func onlyPush(of entry: RunEntry) throws(Failure) -> PushEntry? {
    if entry.tally.total != 1 || entry.completeTally.total != 1 { return nil }
    var filter = HistoryFilter()
    filter.runs = [entry.run]
    var only: PushEntry?
    try forEachStoredPush(filter, newestFirst: false) { push in
      only = push
      return false
    }
    return only
  }
}

extension RunEntry {
  /// The number of pushes; of a run in the queue also those that no worker has sent yet.
  fileprivate var pushes: Int {
    let total = completeTally.total
    return state?.isInQueue == true ? max(total, recipients.pushes) : total
  }

  /// The state of a run that did not end normally; nil if it did.
  var standing: String? {
    if stop != nil { return "stopped" }
    return switch state {
    case .running: "not ended"
    case .interrupted: "interrupted"
    case .finished: nil
    case .enqueuing: "being enqueued"
    case .enqueued: "enqueued"
    case nil: "in a state of a newer version"
    }
  }
}

extension PushEntry {
  /// Cells that describe a push to people, in 'history list' and 'tail'.
  func cells(showsToken: Bool) -> [(name: StyledText, cell: StyledText)] {
    [
      ("outcome", StyledText(outcome.words, outcome.tone)), ("answer", StyledText(answer)),
      ("token", .verbatim(recipient(showsToken: showsToken))),
      (.optional("apns-id"), .verbatim(apnsID.description)),
    ]
  }

  /// The recipient, for people.
  func recipient(showsToken: Bool) -> String {
    shownRecipient(token, channel, showsToken: showsToken)
  }

  /// The status and reason of the answer; empty if there was none.
  var answer: String {
    [response?.status.description, response?.reason?.rawValue].compactMap(\.self)
      .joined(separator: " ")
  }

  /// The answer, or else the outcome.
  var briefly: String { answer.isEmpty ? outcome.words : answer }

  /// The time until the answer; nil if there was none.
  var latency: String? { latencyMicroseconds.map { milliseconds(Double($0) / 1000) } }

  /// A row of 'history list'.
  func row(showsToken: Bool) -> [Report.Part] {
    [.number(run), .text("at", moment(at))]
      + cells(showsToken: showsToken).map { .text($0.name, $0.cell) }
  }
}

extension DescribedPush {
  /// A row of 'history list', with the given columns of its list.
  func row(showsToken: Bool, _ columns: [String]) -> [Report.Part] {
    // The last column needs no heading and does not move the others.
    entry.row(showsToken: showsToken)
      + columns.map { .text(StyledText($0.printable), StyledText(text(of: $0))) }
      + [.text("", StyledText(facts.skippedFor.joined(separator: " ").printable))]
  }

  /// The row's value in a column, for people; empty if it has none.
  func text(of column: String) -> String {
    guard let index = facts.columns.firstIndex(of: column) else { return "" }
    var text = ""
    withListed(index) { kind, bytes in
      let isNull = kind == .json && bytes.first == UInt8(ascii: "n")
      text = isNull ? "" : String(decoding: bytes, as: UTF8.self).printable
    }
    return text
  }
}

extension Report.Part {
  /// A run's number, for people only.
  static func number(_ run: RunNumber) -> Self {
    .fact(.init(name: "run", shown: StyledText(run.description), value: .number(run.rawValue)))
  }

  /// A count, in a tone if it is not zero, for people only.
  static func count(
    _ name: StyledText, _ count: Int, _ tone: StyledText.Tone = .plain
  ) -> Self {
    .fact(
      .init(
        name: name, shown: StyledText(grouped(count), count > 0 ? tone : .plain),
        value: .number(count)))
  }
}

extension RunRecord {
  var title: String { title(of: topic) }

  /// The environment, or only that it was another server.
  fileprivate var shortPlace: String {
    environment.hasPrefix("https://") ? "server" : environment
  }

  /// The title with only the last word of the app's bundle ID.
  fileprivate var shortTitle: String {
    let suffix = pushType.flatMap { PushType(rawValue: $0)?.info?.suffix } ?? ""
    let app = topic.map { $0.hasSuffix(suffix) ? $0.dropLast(suffix.count) : $0[...] }
    return title(of: app?.split(separator: ".").last.map(String.init))
  }

  private func title(of app: String?) -> String {
    let place = channel.map { "to channel \($0)" }
    let what = [pushType, app, place].compactMap(\.self).joined(separator: " ")
    guard let scenario else { return what }
    return "\(scenario)\(step.map { " (step \($0))" } ?? "")"
  }
}
