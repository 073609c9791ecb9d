internal import APNS
internal import Delivery
internal import HTTP2
internal import PushModel
internal import Recipients
package import Reporting
internal import SQLHistory
package import Settings

/// What settings decide about how a run is sent, kept and told, resolved once.
package struct RunChoices: Sendable {
  let delivery: DeliveryChoices
  let lists: ListChoices
  package let outputs: OutputChoices
  /// The history that keeps the run; nil keeps nothing, as in a dry run.
  let history: HistoryChoice?

  /// - Parameters:
  ///   - settings: all layers, merged.
  ///   - isOfStep: true for the push of a scenario.
  /// - Throws: `Failure` for options that contradict each other, or an invalid template.
  package init(
    _ settings: Settings, isOfStep: Bool = false, _ context: Context
  ) throws(Failure) {
    delivery = try DeliveryChoices(settings).withinADay()
    history = settings.dryRun.isOn ? nil : try HistoryChoice(settings)
    let copies = settings.sendNothing ? nil : history?.location
    lists = ListChoices(settings, delivery, copiesBeside: copies)
    outputs = try OutputChoices(settings, isOfStep: isOfStep, context)
  }
}

/// The choices about connections and attempts.
struct DeliveryChoices: Sendable {
  let connections: ConnectionCount
  /// The maximum rate; nil for none.
  let rate: PushRate?
  let timeoutMilliseconds: Int
  /// The time after which no push is begun; nil for none.
  let maxTime: TimeLength?
  let retries: Int
  let retryDelayMilliseconds: Int
  let isAtMostOnce: Bool
  let usesBreaker: Bool

  init(_ settings: Settings) {
    connections = settings.connections?.value ?? .auto
    rate = settings.rate?.value.rate
    timeoutMilliseconds = settings.timeoutMilliseconds
    maxTime = settings.maxTime?.value
    retries = settings.retries?.value ?? 0
    let usual = Settings.builtIn.retryDelay?.value.milliseconds ?? 0
    retryDelayMilliseconds = settings.retryDelay?.value.milliseconds ?? usual
    (isAtMostOnce, usesBreaker) = (settings.atMostOnce.isOn, !settings.breaker.isOff)
  }

  /// The same choices, unless their retries would take longer than a day.
  fileprivate func withinADay() throws(Failure) -> Self {
    let total = retryRules(isOnePush: false, isOfQueue: false).totalDelayMilliseconds
    if total <= 24 * 3_600_000 { return self }
    let delay = TimeLength(milliseconds: retryDelayMilliseconds).text
    throw Failure(
      "--retries \(retries) with --retry-delay \(delay) would wait for "
        + "\(grouped(total / 3_600_000)) hours, as each wait is twice as long as the one before; "
        + "the limit is a day.",
      fix: "Give fewer retries or a shorter delay: 'fanfare resume' sends what is deferred.")
  }

  /// - Parameters:
  ///   - isOnePush: whether the user waits for the response to a single push.
  ///   - isOfQueue: whether a refused push stays in the queue.
  func retryRules(isOnePush: Bool, isOfQueue: Bool) -> RetryRules {
    RetryRules(
      retries: retries, retryDelayMilliseconds: retryDelayMilliseconds,
      isAtMostOnce: isAtMostOnce, waitsForSlowTokens: !isOnePush,
      rejectsForCredentials: !isOfQueue)
  }
}

/// The choices about reading the lists of recipients.
package struct ListChoices: Sendable {
  let format: ListFormat
  /// The rows to send to, but for those that a suppression leaves out.
  let selection: RecipientSelection
  /// The columns to repeat in the results.
  let listed: [String]
  let chunkSize: Int
  /// The history beside which lists are copied that can be read only once; nil copies nothing.
  let copiesBeside: String?

  init(_ settings: Settings, _ delivery: DeliveryChoices, copiesBeside: String?) {
    format = settings.listFormat
    selection = settings.selection(without: nil)
    listed = settings.listed
    let isSlow = delivery.rate?.isLow ?? false
    chunkSize = delivery.isAtMostOnce || isSlow ? 16 : PushChunk.capacity
    self.copiesBeside = copiesBeside
  }
}

/// The choices about what is printed and written to files.
package struct OutputChoices: Sendable {
  let results: String?
  /// The format of the results; nil goes by the name of their file.
  let resultsFormat: RecordFormat?
  let deadTokens: String?
  let template: LineTemplate?
  let listed: [String]
  package let form: OutcomeForm
  let showsTokens: Bool
  let showsProgress: Bool
  let isVerbose: Bool

  package init(
    _ settings: Settings, isOfStep: Bool, _ context: Context
  ) throws(Failure) {
    (results, deadTokens) = (settings.results?.value, settings.deadTokens?.value)
    resultsFormat = settings.resultsFormat?.value
    template = try settings.lineTemplate(isOfStep: isOfStep, context)
    listed = settings.listed
    form = OutcomeForm(settings)
    showsTokens = settings.showTokens.isOn
    isVerbose = settings.verbose.isOn
    // Results on the same terminal already show the progress.
    let isShownByResults = settings.resultsTakeOutput && context.teller.data.isTerminal
    showsProgress =
      !settings.quiet.isOn && !settings.json.isOn && !settings.progress.isOff && !isShownByResults
  }

  /// Checks that the files can be written, without making or changing one.
  package func check() throws(Failure) {
    do throws(FileFailure) {
      if let results { try checkWritable(results, for: FileFailure.results) }
      if let deadTokens { try checkWritable(deadTokens, for: FileFailure.deadTokens) }
    } catch {
      throw .file(error)
    }
  }
}

/// The choice of a history.
package struct HistoryChoice: Sendable {
  /// The file or URL.
  package let location: String
  /// The location to name in commands; nil when they find it without an option.
  let name: String?
  /// Keeps the payload of each row of a template.
  let keepsPayloads: Bool

  /// Nil when no history is kept.
  init?(_ settings: Settings) throws(Failure) {
    guard let location = try settings.historyPath() else { return nil }
    self.location = location
    // A history named by a variable, or at the default path, is found without an option.
    let isNamed = settings.history.map { $0.origin.isOption || $0.origin.file != nil } ?? false
    name = isNamed ? location : nil
    keepsPayloads = settings.keepPayloads.isOn
  }

  /// Checks that a run can begin in it, without making it.
  package func check() throws(Failure) { try answered(SQLLedger.check(at: location)) }
}
