internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import History
internal import PushModel

/// Which runs and pushes of the history are wanted.
struct HistoryFilterOptions: Sendable, Equatable {
  var since: TimeArgument?
  var until: TimeArgument?
  var environment: String?
  var scenario: String?
  var outcomes: [OutcomeArgument] = []
  var reasons: [String] = []
  var token: TokenPatternArgument?
  var apnsID: APNSIDArgument?

  static let group = OptionGroup<Self>(
    "Which",
    [
      .option(
        "since", \.since, value: "TIME",
        help: "Runs that began then or later: '2h' ago, a date, or an ISO 8601 time."),
      .option("until", \.until, value: "TIME", help: "Runs that began before then."),
      .option(
        "env", \.environment, value: "NAME", help: "Runs in this environment, or at this URL."),
      .option("scenario", \.scenario, value: "NAME", help: "Runs of this scenario."),
      .option("outcome", \.outcomes, value: "OUTCOME", help: "Pushes with this outcome."),
      .option(
        "reason", \.reasons, value: "REASON", help: "Pushes with this reason.",
        completion: .words(Reason.table.map(\.reason.rawValue))),
      .option(
        "token", \.token, value: "TOKEN",
        help: "Pushes to this device token, or to tokens ending in these digits."),
      .option("apns-id", \.apnsID, value: "UUID", help: "The push with this ID."),
    ])

  /// What is wanted, at a time in seconds since 1970.
  func filter(now: Int64) -> HistoryFilter {
    var filter = HistoryFilter()
    filter.since = since?.milliseconds(now: now)
    filter.until = until?.milliseconds(now: now)
    filter.environment = environment
    filter.scenario = scenario
    filter.outcomes = Set(outcomes.map(\.outcome))
    filter.reasons = reasons
    filter.token = token?.pattern
    filter.apnsID = apnsID?.id
    return filter
  }
}

extension HistoryFilterOptions {
  /// What is wanted of some runs; of none of any.
  ///
  /// - Throws: `Failure.history` with `noSuchRun` when one is not there.
  func filter(
    of runs: [RunArgument], in history: any HistoryStore, _ context: Context
  ) throws(Failure) -> HistoryFilter {
    var filter = filter(now: context.clock.epochSeconds)
    for run in runs { filter.runs.insert(try history.storedRun(run.number).entry.run) }
    return filter
  }
}

/// A time in the past: so long ago, or a moment.
struct TimeArgument: ArgumentValue, Equatable {
  private let text: String
  private let span: Int64?
  private let moment: Int64

  init(argument word: String) throws(BadValue) {
    text = word
    span = TimeSpan.seconds(word)
    guard let moment = span ?? ISO8601.seconds(word) ?? Int64(word), moment >= 0,
      moment <= 253_402_300_799
    else {
      throw .expected(
        "a time span such as 2h or 30d, a date, an ISO 8601 time, or seconds since 1970")
    }
    self.moment = moment
  }

  var argumentText: String { text }

  /// The moment in milliseconds since 1970.
  func milliseconds(now: Int64) -> Int64 { (span.map { now - $0 } ?? moment) * 1000 }
}

/// An outcome on the command line.
struct OutcomeArgument: ArgumentValue, Equatable {
  let outcome: Outcome

  init(argument word: String) throws(BadValue) {
    guard let outcome = Outcome(rawValue: word) else { throw .notAChoice }
    self.outcome = outcome
  }

  var argumentText: String { outcome.rawValue }

  static var choices: [String] { Outcome.allCases.map(\.rawValue) }
}

/// A device token or its last digits on the command line.
struct TokenPatternArgument: ArgumentValue, Equatable {
  let pattern: TokenPattern

  init(argument word: String) throws(BadValue) {
    // Fewer fit too many tokens.
    guard let pattern = TokenPattern(word), pattern.digits.count >= 4 else {
      throw .expected("a device token, or at least its last 4 digits")
    }
    self.pattern = pattern
  }

  var argumentText: String { pattern.digits }
}

/// An `apns-id` on the command line.
struct APNSIDArgument: ArgumentValue, Equatable {
  let id: APNSID

  init(argument word: String) throws(BadValue) {
    guard let id = APNSID(word) else {
      throw .expected("an apns-id: 8-4-4-4-12 hex digits")
    }
    self.id = id
  }

  var argumentText: String { id.description }
}

/// A run by its number, or a push by its `apns-id`.
enum HistoryPlace: ArgumentValue, Equatable {
  case run(RunNumber)
  case push(APNSID)

  init(argument word: String) throws(BadValue) {
    if let number = Int64(word).flatMap({ RunNumber(rawValue: $0) }) {
      self = .run(number)
    } else if let id = APNSID(word) {
      self = .push(id)
    } else {
      throw .expected("the number of a run, or the apns-id of a push")
    }
  }

  var argumentText: String {
    switch self {
    case .run(let number): number.description
    case .push(let id): id.description
    }
  }
}
