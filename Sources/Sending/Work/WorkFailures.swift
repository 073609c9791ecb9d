internal import APNS
internal import History
internal import Opening
internal import PlainText
internal import PushModel
internal import Reporting

// Failures to send or stop a run in the queue.
extension Failure {
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
    guard let known = RunCredentials(text: needed) else {
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
    let names = PushEnvironment.named.map(\.name) + [PushEnvironment.inboxName]
    return names.contains(environment)
      ? "--env \(environment)" : "--server \(shellWord(environment.printable))"
  }
}
