internal import CommandLineKit
internal import PushEmulator
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare emulator`
struct EmulatorCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "emulator", "Run a local APNs.",
    discussion: """
      A strict APNs on 127.0.0.1, over TLS and HTTP/2, that answers pushes and requests for \
      broadcast channels as Apple's does, reason for reason. Once it listens it prints where it \
      is: its URL, the certificate file to trust (for --ca), and its process ID, as one line of \
      JSON unless standard output is a terminal. It runs until it is interrupted.

      With --inbox it has a page that shows what a phone would have shown, live, and an API for \
      tests. 'fanfare send --env inbox' then sends to it, without credentials.

      Without --trust it accepts any well-formed provider token that has not expired. A client may \
      present a certificate instead: its topics, environment and dates are checked, whoever issued \
      it.

      A script simulates problems: late, odd and missing answers, RST_STREAM, GOAWAY, lost \
      connections, changing limits. The API of the inbox changes it while the emulator runs. \
      docs/emulator.md describes both.
      """,
    examples: [
      Example("fanfare emulator --inbox 8025", "See in a browser what arrives."),
      Example("fanfare emulator --port 8443 --journal pushes.jsonl", "Listen on a known port."),
      Example(
        "fanfare emulator --trust AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ",
        "Accept provider tokens of one key only."),
      Example(
        "fanfare emulator --script bad-day.json5", "Treat each push as a script says."),
      Example(
        "fanfare emulator --certificate expired", "See how a client reacts to a bad certificate."),
    ])

  var port = PortArgument(port: 0)
  var managePort: PortArgument?
  var inbox: PortArgument?
  var keep: KeptCount?
  var serving = EmulatorServing()
  var journal: String?
  var script: String?
  var production = false
  var trusted = TrustedKeyFile()
  var faults = EmulatorFaultOptions()

  static let groups = [
    OptionGroup<Self>(
      "Emulator",
      [
        .option("port", \.port, value: "N", help: "The port; 0 picks a free one."),
        .option(
          "manage-port", \.managePort, value: "N",
          help: "Listen on a second port, for clients that manage channels on one; 0 picks one."),
        .option(
          "bind", \.serving.address, value: "ADDRESS",
          help: "The address to listen on, such as 0.0.0.0 in a container; defaults to 127.0.0.1."),
        .option(
          "ca-folder", \.serving.authorityFolder, value: "DIR",
          help: "Keep its certificate authority in this folder, so that ca.pem there stays good.",
          completion: .folder),
        .option(
          "journal", \.journal, value: "FILE",
          help: "The file to write one line of JSON per request to; '-' is standard output.",
          completion: .file),
        .flag("json", \.serving.isJSON, help: "Print JSON on a terminal, too."),
        .option(
          "script", \.script, value: "FILE", help: "A script in JSON5; '-' is standard input.",
          completion: .file),
        .flag(
          "production", \.production,
          help: "Act as production: no apns-unique-id, no sandbox keys and certificates."),
        .option(
          "trust", \.trusted.path, value: "FILE",
          help: "The .p8 key whose provider tokens are accepted.",
          completion: .file),
        .option(
          "key-id", \.trusted.keyID, value: "ID",
          help: "The trusted key's ID; defaults to the one in its file name."),
        .option("team-id", \.trusted.teamID, value: "ID", help: "The trusted key's team."),
        .option(
          "trust-env", \.trusted.environment, value: "NAME",
          help: "The environment that the trusted key is for; defaults to both."),
      ]),
    OptionGroup<Self>(
      "Inbox",
      [
        .option(
          "inbox", \.inbox, value: "PORT",
          help: "Show what arrives in a page and an API at this port; 0 picks a free one."),
        .option(
          "inbox-key", \.serving.inboxKey, value: "FILE",
          help: "The file with its key, made if missing; by default the key is new at each start.",
          completion: .file),
        .option(
          "keep", \.keep, value: "N",
          help: "How many requests it keeps; defaults to 10000."),
      ]),
    EmulatorFaultOptions.group.inside(\Self.faults),
  ]

  func run(_ context: Context) throws -> Report {
    var configuration = EmulatorConfiguration()
    configuration.port = port.port
    configuration.managePort = managePort?.port
    var serving = serving
    serving.inbox = inbox?.port
    serving.keep = keep?.count
    serving.names = faults.names?.names ?? []
    configuration.isSandbox = !production
    if let journal { configuration.journal = .file(journal) }
    faults.apply(to: &configuration)
    return try ServeEmulator(configuration, serving, script: script, trusting: trusted, context)
      .run()
  }
}
