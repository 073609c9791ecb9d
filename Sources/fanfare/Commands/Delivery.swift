internal import APNS
internal import PushCore

/// One run on its way: the server it goes to, and where its results and its progress are shown.
final class Delivery {
  /// The server, ready to be connected to.
  let place: ServerPlace

  private let credentials: PushCredentials
  private let context: Context
  private var results: ResultFile?
  private var progress: ProgressLine

  /// Opens what can fail before anything is sent.
  init(
    _ telling: TellingOptions, continuesResults: Bool, _ server: ServerChoice,
    _ credentials: CredentialChoice,
    _ context: Context
  ) throws(Failure) {
    // The place first: it may be refused, and then no earlier results are to be overwritten.
    place = try ServerPlace(server, context)
    if let path = telling.results {
      results = try ResultFile(path, continues: continuesResults, context)
    }
    self.credentials = credentials.push
    self.context = context
    progress = ProgressLine(
      context.errors, clock: context.clock, isWanted: !telling.quiet && !telling.json)
  }

  /// Why a result could not be written; nil while all could.
  var resultsFailure: FileFailure? { results?.failure }

  /// Sends to all recipients, writing results as they come.
  func perform(
    _ plan: DeliveryPlan, _ recipients: consuming sending RecipientReader, _ control: RunControl
  ) -> Run.Report {
    let run = Run(plan, credentials: credentials, control: control, clock: context.clock)
    let identity = run.identity
    let report = run.perform(recipients) { batch, summary in
      self.results?.write(batch, apnsID: identity.apnsID)
      self.progress.update(summary, inFlight: control.inFlight)
    }
    progress.clear()
    return report
  }
}
