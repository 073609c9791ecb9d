public import APNS
public import CommandLineKit
public import History
internal import HistoryCommands
public import PushModel
internal import Reporting
internal import Runs
internal import Settings

/// Options that select runs and pushes of the history.
struct HistoryFilterOptions: Sendable, Equatable {
  var since: TimeArgument?
  var until: TimeArgument?
  var environment: String?
  var scenario: String?
  var bundleID: String?
  var pushType: String?
  var text: String?
  var isUnfinished = false
  var outcomes: [Outcome] = []
  var reasons: [String] = []
  var token: TokenPattern?
  var apnsID: APNSID?

  /// Options that also apply to runs and pushes still being sent.
  static let running: [Parameter<Self>] = [
    .option(
      "env", \.environment, value: "NAME", help: "Runs in this environment, or at this URL."),
    .option("scenario", \.scenario, value: "NAME", help: "Runs of this scenario."),
    .option("bundle-id", \.bundleID, value: "ID", help: "Runs of this app."),
    .option(
      "type", \.pushType, value: "TYPE", help: "Runs of this push type.",
      completion: .words(PushType.table.map(\.type.rawValue))),
    .option(
      "text", \.text, value: "TEXT",
      help: "Runs whose payload contains this text, in any case."),
    .option("outcome", \.outcomes, value: "OUTCOME", help: "Pushes with this outcome."),
    .option(
      "reason", \.reasons, value: "REASON", help: "Pushes with this reason.",
      completion: .words(Reason.table.map(\.reason.rawValue))),
  ]

  static let group = OptionGroup<Self>(
    "Which",
    [
      .option(
        "since", \.since, value: "TIME",
        help: "Runs that began then or later: '2h' ago, a date, or an ISO 8601 time."),
      .option("until", \.until, value: "TIME", help: "Runs that began before then."),
      .flag("unfinished", \.isUnfinished, help: "Runs that could still be resumed."),
    ] + running + [
      .option(
        "token", \.token, value: "TOKEN",
        help: "Pushes to this device token, or to tokens ending in these digits."),
      .option("apns-id", \.apnsID, value: "UUID", help: "The push with this ID."),
    ])

  /// The filter for the named runs, or for all if none are named.
  ///
  /// - Parameter settings: the history's place.
  func filter(
    of runs: [RunArgument] = [], in settings: Settings, _ context: Context
  ) throws(Failure) -> HistoryFilter {
    var filter = HistoryFilter()
    for run in runs { filter.runs.insert(try run.number(in: settings, context)) }
    filter.since = since?.milliseconds("--since", context)
    filter.until = until?.milliseconds("--until", context)
    filter.environment = environment
    (filter.scenario, filter.bundleID, filter.pushType) = (scenario, bundleID, pushType)
    filter.text = text.map(\.inJSON)
    filter.unfinishedAt = isUnfinished ? context.now * 1000 : nil
    filter.outcomes = Set(outcomes)
    filter.reasons = reasons
    filter.token = token
    filter.apnsID = apnsID
    return filter
  }
}

/// A time in the past: a time span before now, or a date.
struct TimeArgument: ArgumentValue, Equatable {
  let argumentText: String
  private let span: Int64?
  private let moment: Int64

  init(argument word: String) throws(BadValue) {
    argumentText = word
    span = TimeSpan.seconds(word)
    guard let moment = span ?? ISO8601.written(word)?.seconds ?? Int64(word), moment >= 0,
      moment <= 253_402_300_799
    else {
      throw .expected(
        "a time span such as 2h, 1h30m or 30d, a date, an ISO 8601 time, or seconds since 1970")
    }
    self.moment = moment
  }

  /// The time in milliseconds since 1970. If the zone is omitted, it is reported on a terminal.
  func milliseconds(_ option: String, _ context: Context) -> Int64 {
    if let span { return (context.now - span) * 1000 }
    let written = context.writtenMoment(argumentText)
    if let note = written?.note { context.teller.hint("\(option): \(note)") }
    return (written?.seconds ?? moment) * 1000
  }
}

extension ListLimit: ArgumentValue {
  package init(argument word: String) throws(BadValue) {
    guard let count = Int(word), count >= 0 else { throw .expected("a whole number from 0") }
    self.init(count)
  }

  package var argumentText: String { String(count) }
}

extension Outcome: ArgumentValue {}
extension PushGrouping: ArgumentValue {}

extension ExportFormat: ArgumentValue {
  package init(argument word: String) throws(BadValue) {
    guard let format = Self.all.first(where: { $0.name == word }) else { throw .notAChoice }
    self = format
  }

  package var argumentText: String { name }

  package static var choices: [String] { all.map(\.name) }
}

extension TokenPattern: ArgumentValue {
  /// A device token, or at least its last four digits: fewer would match too many.
  public init(argument word: String) throws(BadValue) {
    guard let pattern = TokenPattern(word), pattern.digits.count >= 4 else {
      throw .expected("a device token, or at least its last 4 digits")
    }
    self = pattern
  }

  /// The digits.
  public var argumentText: String { digits }
}

extension APNSID: ArgumentValue {
  /// An apns-id in its canonical form.
  public init(argument word: String) throws(BadValue) {
    guard let id = APNSID(word) else { throw .expected("an apns-id: 8-4-4-4-12 hex digits") }
    self = id
  }

  /// The canonical form.
  public var argumentText: String { description }
}

extension HistoryReference: ArgumentValue {
  package init(argument word: String) throws(BadValue) {
    if let number = Int64(word).flatMap({ RunNumber(rawValue: $0) }) {
      self = .run(number)
    } else if word == "last" {
      self = .last
    } else if let id = APNSID(word) {
      self = .push(id)
    } else {
      throw .expected("the number of a run, 'last' for the newest, or the apns-id of a push")
    }
  }

  package var argumentText: String { description }
}
