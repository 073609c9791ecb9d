internal import APNS
internal import Credentials
internal import Delivery
internal import Projects
internal import PushModel
internal import Recipients

/// One run on its way: the server it goes to, and where its results and its progress are shown.
package final class RunDelivery {
  /// The server, ready to be connected to.
  let place: ServerPlace
  /// Where the run is written down.
  private(set) var book: RunBook

  /// Why rows were skipped, a line for each of the first.
  private(set) var skippedRows: [String] = []

  private let credentials: PushCredentials
  private let context: Context
  private var results: ResultFile?
  private var deadTokens: DeadTokenFile?
  private var progress: ProgressLine
  private let isQuiet: Bool

  /// Opens what can fail before anything is sent.
  init(
    _ settings: Settings, continuesResults: Bool, at place: ServerPlace,
    _ credentials: OpenedCredentials, tellsProgress: Bool, _ context: Context
  ) throws(Failure) {
    self.place = place
    if let path = settings.results?.value {
      results = try ResultFile(path, continues: continuesResults, context)
    }
    if let path = settings.deadTokens?.value {
      deadTokens = try DeadTokenFile(path, continues: continuesResults)
    }
    self.credentials = credentials.push
    isQuiet = settings.quiet.isOn
    self.context = context
    book = RunBook(nothing: context)
    // Results on the same terminal tell it already.
    let isTold =
      settings.quiet.isOn || settings.json.isOn
      || settings.results?.value == "-" && context.output.isTerminal
    progress = ProgressLine(
      context.errors, clock: context.clock, isWanted: tellsProgress && !isTold)
  }

  /// Why a result could not be written; nil while all could.
  var resultsFailure: FileFailure? { results?.failure ?? deadTokens?.failure }

  /// The file of dead device tokens and how many are in it; nil when none was asked for.
  var dead: (path: String, count: Int)? { deadTokens.map { ($0.path, $0.count) } }

  /// Sends to all recipients, writing results as they come.
  ///
  /// - Parameters:
  ///   - identity: what the apns-ids are made of.
  ///   - book: where the run is written down.
  ///   - early: a link that is being opened already; nil opens one when it is needed.
  ///   - links: connections that other runs use as well; nil closes them with the run.
  func perform(
    _ plan: DeliveryPlan, _ identity: RunIdentity,
    _ recipients: consuming sending RecipientReader, _ book: RunBook,
    _ early: EarlyLink?, _ links: LinkPool?, _ control: RunControl
  ) -> Run.Report {
    self.book = book
    let run = Run(
      plan, credentials: credentials, control: control, clock: context.clock, identity: identity,
      early: early, links: links)
    let skipped = SkippedRowReport(context, isQuiet: isQuiet)
    let report = run.perform(recipients, ledger: book.ledger) { batch, summary in
      for result in batch where result.outcome == .skipped {
        _ = skipped.tells(of: result.push)
      }
      self.results?.write(batch, apnsID: identity.apnsID)
      self.deadTokens?.write(batch)
      self.progress.update(summary, inFlight: control.inFlight)
    }
    progress.clear()
    skippedRows = skipped.lines
    return report
  }
}
