internal import APNS
internal import Delivery
internal import HTTP2
internal import History
internal import POSIX
internal import PlainText
package import PushModel
package import Reporting
internal import SQLHistory
internal import SQLQueue
package import Settings

/// The options of `fanfare work`.
package struct WorkOptions: Sendable, Equatable {
  /// Waits for more when nothing is left.
  package var stays = false
  /// The worker's name; nil for its host and process.
  package var name: String?
  package var lease = LeaseLength.usual
  /// The options on the command line for place, credentials, running and output.
  package var settings = Settings()

  package init() {}
}

/// The time after which others take over the work of a silent worker.
package struct LeaseLength: Sendable, Equatable {
  package static let usual = Self(90_000)

  package let milliseconds: Int

  private init(_ milliseconds: Int) { self.milliseconds = milliseconds }

  /// Nil unless it is 10 seconds to 10 minutes.
  package init?(milliseconds: Int) {
    guard 10_000...600_000 ~= milliseconds else { return nil }
    self.init(milliseconds)
  }

  /// The maximum timeout: an attempt must end within the lease, and the lease must be renewed
  /// between attempts.
  var longestTimeout: TimeLength { TimeLength(milliseconds: milliseconds / 3) }
}

/// Sends runs of the queue, together with other workers.
package struct Work {
  private let number: RunNumber?
  private let options: WorkOptions
  private let context: Context

  /// - Parameter run: the only run to send; nil for all in the queue.
  package init(run: RunNumber?, _ options: WorkOptions, _ context: Context) {
    (number, self.options, self.context) = (run, options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> Report {
    try options.settings.refuseUnknownFields(Outputs.work, context)
    let settings = try options.settings.merged(context)
    let location = try settings.queueLocation(context)
    let server = try ServerChoice(settings, context)
    if server.alternative != nil { throw .severalRecipients(option: "--env auto") }
    try KeyLog.check(server, context)
    try ProjectTrust(settings, context).require()
    let means = WorkerSetup(
      settings: settings, server: server, location: location,
      credentials: try WorkerCredentials(settings, for: server.environment, context))
    let resources = RunResources(links: LinkPools())
    guard try hasHistory(means, resources.cancellation) else {
      return Report(context.signals.received ?? .unfinished)
    }
    if let number, try !begin(number, means) { return Report() }
    var worker = try Worker(number, options, means, in: resources, context)
    return try worker.work()
  }

  /// Waits, with `--stay`, until somebody has made the history.
  ///
  /// - Returns: false if the worker is to end before that.
  private func hasHistory(
    _ means: WorkerSetup, _ cancellation: Cancellation
  ) throws(Failure) -> Bool {
    var isTold = false
    while !cancellation.isCancelled {
      do throws(HistoryError) {
        _ = try WorkQueue(at: means.location)
        return true
      } catch .missing where options.stays && number == nil {
        if !isTold {
          context.teller.note("\(HistoryError.missing(path: means.location).sentence) Waiting.")
          cancellation.listen(context, atMost: means.settings.maxTime?.value)
        }
        isTold = true
        cancellation.pause(milliseconds: 500, context.clock)
      } catch {
        throw .cannotWork(error)
      }
    }
    return false
  }

  /// Checks that a run can be sent, and continues it if it was stopped.
  ///
  /// - Returns: false when nothing is left to do, after a message.
  private func begin(_ number: RunNumber, _ means: WorkerSetup) throws(Failure) -> Bool {
    let entry = try answered(HistoryReader(means.location)).storedRun(number).entry
    let queue = try answered(WorkQueue(at: means.location))
    guard let standing = try answered(queue.standing(of: number)) else { throw .notInQueue(entry) }
    if standing.state == .finished {
      context.teller.note("Run \(number) has nothing left to do.")
      return false
    }
    if let misfit = means.misfit(of: entry.record, standing.credentials) {
      throw .misfit(number, misfit, means.server)
    }
    if standing.isStopped {
      try answered(queue.reopen(number))
      context.teller.note(
        "Run \(number) was stopped\(standing.stopCause.map { " (\($0.printable))" } ?? ""). It continues now."
      )
    }
    return true
  }
}

extension WorkOptions {
  /// The worker's name.
  var workerName: String { name ?? "\(ProcessFacts.hostName ?? "localhost"):\(getpid())" }
}

/// The settings and credentials that belong to a worker and never come from a database.
struct WorkerSetup {
  /// All layers, merged.
  let settings: Settings
  let server: ServerChoice
  /// The history's URL.
  let location: String
  let credentials: WorkerCredentials

  /// The reason a run is not for this worker; nil when it is.
  func misfit(of record: RunRecord, _ needed: String) -> Misfit? {
    if !server.isFor(record) { return .environment(record.environment) }
    return credentials.find(needed) == nil ? .credentials(needed) : nil
  }

  /// The reason a worker cannot send a run.
  enum Misfit: Hashable {
    case environment(String)
    case credentials(String)
  }
}

extension ServerChoice {
  /// True if a run is meant for this service. The run does not record an address, because ports may
  /// differ between machines.
  func isFor(_ record: RunRecord) -> Bool {
    if [environment.name, named.name].contains(record.environment) { return true }
    guard let address = try? ServerAddress(url: record.environment) else { return false }
    let service = RequestFacts.Service(host: address.host)
    return service != .other && service == RequestFacts.Service(named)
  }
}

// Failures to send or stop a run in the queue.
extension Failure {
  /// The queue cannot be opened.
  fileprivate static func cannotWork(_ error: HistoryError) -> Failure {
    guard case .missing = error else { return .history(error) }
    return Failure(
      error.sentence,
      fix: "'fanfare send --enqueue' begins it with the first run. With --stay, a worker waits for "
        + "that.")
  }

  /// The run is sent by a single process, or is over.
  static func notInQueue(_ entry: RunEntry) -> Failure {
    let run = entry.run
    if entry.state == .running {
      return Failure(
        "Run \(run) is not in the queue: the process that began it sends it.",
        fix: "Ctrl-C or SIGTERM stops it there. 'fanfare resume \(run)' continues it.")
    }
    return Failure(
      "Run \(run) is not in the queue.",
      fix: entry.state == .finished
        ? "It has ended. 'fanfare send --enqueue' puts a new run into the queue."
        : "It is not being sent. 'fanfare resume \(run)' continues it.")
  }

  /// A named run is not for this worker.
  static func misfit(
    _ run: RunNumber, _ misfit: WorkerSetup.Misfit, _ server: ServerChoice
  ) -> Failure {
    switch misfit {
    case .environment(let name):
      Failure(
        "Run \(run) goes to \(name.printable), and this worker sends to \(server.environment.name).",
        fix: "Give \(option(for: name)), or leave the run to other workers.")
    case .credentials(let needed):
      credentials(run, needed)
    }
  }

  private static func credentials(_ run: RunNumber, _ needed: String) -> Failure {
    guard let known = CredentialID(text: needed) else {
      return Failure(
        "Run \(run) needs credentials of a kind that this version does not know.",
        fix: "Use the newer version of fanfare.")
    }
    let option = if case .key = known { "--key and --team-id" } else { "--cert" }
    return Failure(
      "Run \(run) needs \(known.words), which this worker does not have.",
      fix: "Give it with \(option), or name it in a profile.", .connection)
  }

  private static func option(for environment: String) -> String {
    EnvironmentSetting.single.contains(environment)
      ? "--env \(environment)" : "--server \(shellWord(environment.printable))"
  }
}
