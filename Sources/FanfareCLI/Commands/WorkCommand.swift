internal import CommandLineKit
internal import Reporting
internal import Runs
internal import Settings

/// `fanfare work`
struct WorkCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "work", "Send the runs in the queue, together with other machines.",
    discussion: """
      Takes runs that 'fanfare send --enqueue' put into the queue of a history in PostgreSQL, the \
      oldest first, and sends them until nothing is left. Any number of workers on any number of \
      machines share a run: each push is sent by one of them. A worker that dies is noticed when \
      its lease ends, and the others send what it left. With the number of a run, only that run is \
      sent; if it was stopped, it goes on.

      From the queue come recipients, notification, rate, retries, timeout and the number of \
      connections, which all workers share. Server, CA, proxy, credentials and files are always \
      the worker's own: runs for another environment, or for credentials that neither the options \
      nor a profile names, are left to other workers.

      The exit code is 0 if nothing is left, even if pushes were rejected, and 4 if pushes are \
      deferred, with the time of the next; --stay waits for that and for new runs. While other \
      workers hold pushes, or a list is still being read, it waits. SIGTERM and SIGINT finish what \
      is in flight and hand the rest back.
      """,
    examples: [
      Example(
        "fanfare work --env production --history postgresql://db1/push --key AuthKey_ABC123DEFG.p8 "
          + "--team-id DEF123GHIJ", "Send what is in the queue, and exit."),
      Example("fanfare work 12 --profile shop", "Help with run 12, or continue it."),
      Example(
        "fanfare work --profile shop --stay --name sender-3",
        "Run as a service; history shows the name."),
    ])

  var run: [RunArgument] = []
  var work = WorkOptions()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Work",
        [
          .arguments(
            "run", \.run, help: "The number of the run; defaults to all in the queue.",
            completion: .runs),
          .flag("stay", \.work.stays, help: "Wait for more when nothing is left."),
          .option(
            "name", \.work.name, value: "NAME",
            help: "What the history calls this worker; defaults to HOST:PID."),
          .option(
            "lease", \.work.lease, value: "TIME",
            help: "How long others wait before they take over from it, 10s to 10m."),
        ]),
      SettingOptions.sendingPlace.inside(\Self.work.settings),
      SettingOptions.credentials.inside(\Self.work.settings),
      OptionGroup("Running", ["connections", "timeout", "max-time"])
        .inside(\Self.work.settings),
      SettingOptions.telling.inside(\Self.work.settings),
    ]

  func run(_ context: Context) throws -> Report {
    if run.count > 1 { throw Failure.unexpectedArgument(run[1].argumentText) }
    let context = context.telling(work.settings)
    let number = try run.first?.number(in: work.settings, context)
    return try Work(run: number, work, context).run()
  }
}

/// `fanfare stop`
struct StopCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "stop", "Stop a run in the queue, on all machines.",
    discussion: """
      All workers stop sending the run within a second: pushes in flight get their answers, the \
      rest stays in the queue. 'fanfare work RUN' or 'fanfare resume RUN' continues it. A run that \
      is not in the queue is stopped where it is sent, with Ctrl-C or SIGTERM.
      """,
    examples: [Example("fanfare stop 12", "Stop run 12.")])

  var run: RunArgument?
  var stop = StopRun()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Stop",
        [
          .arguments(
            "run", \.run, help: "The number of the run.", isRequired: true, completion: .runs),
          .flag("json", \.stop.isJSON, help: "Print one JSON object."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.stop.settings)]

  func run(_ context: Context) throws -> Report {
    guard let run else { throw Failure.missingArgument("RUN") }
    return try stop.run(run.number(in: stop.settings, context), context)
  }
}

extension LeaseLength: ArgumentValue {
  init(argument word: String) throws(BadValue) {
    guard let lease = TimeLength(text: word).flatMap({ LeaseLength(milliseconds: $0.milliseconds) })
    else { throw .expected("a length of time from 10s to 10m") }
    self = lease
  }

  var argumentText: String { TimeLength(milliseconds: milliseconds).text }
}
