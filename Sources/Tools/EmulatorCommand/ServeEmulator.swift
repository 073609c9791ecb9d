internal import APNS
internal import HTTP2
internal import JSONText
internal import POSIX
package import PushEmulator
internal import PushInbox
package import Reporting
internal import Runs
package import Settings

/// The addresses an emulator listens on, and what it shows.
package struct EmulatorServing: Sendable, Equatable {
  /// The inbox's port; nil for no inbox.
  package var inbox: UInt16?
  /// The file with the inbox's key; nil makes a new key.
  package var inboxKey: String?
  /// The number of requests that the inbox keeps.
  package var keep: Int?
  /// The folder that keeps the authority; nil makes a new one.
  package var authorityFolder: String?
  /// The address to listen on; nil is 127.0.0.1.
  package var address: String?
  /// Additional host names for the certificate and, with an address, for the inbox.
  package var names: [String] = []
  /// Prints the ready line as JSON even on a terminal.
  package var isJSON = false

  package init() {}

  /// The default number of requests that an inbox keeps.
  package static let usualKeep = 10_000
}

/// Runs a local APNs until it is interrupted.
package struct ServeEmulator {
  private var configuration: EmulatorConfiguration
  private let serving: EmulatorServing
  private let script: String?
  private let trusted: TrustedKeyFile
  private let context: Context

  /// - Parameter script: the script's file; nil for none.
  package init(
    _ configuration: EmulatorConfiguration, _ serving: EmulatorServing, script: String?,
    trusting trusted: TrustedKeyFile, _ context: Context
  ) {
    (self.configuration, self.serving, self.script) = (configuration, serving, script)
    (self.trusted, self.context) = (trusted, context)
  }

  package func run() throws(Failure) -> Report {
    try refuseOverwriting()
    try refuseIdleOptions()
    guard let wake = Wake() else { throw .emulator(.outOfDescriptors) }
    context.signals.take(hangUp: true) { wake.call() }
    var inboxConfiguration = InboxConfiguration()
    let complete = try completeConfiguration(&inboxConfiguration)
    let emulator = try RunningEmulator(complete.configuration, roots: complete.roots, context)
    let inbox = try openInbox(inboxConfiguration, emulator)
    let notices = inbox.flatMap { post($0, emulator) }
    let remove = removal(of: notices, complete.roots == nil ? emulator.rootsPath : nil)
    defer { remove() }
    // A second signal would kill the process before it has cleaned up.
    context.signals.take {
      remove()
      wake.call()
    }
    warnOfAddress()
    announce(emulator, inbox, isFound: notices != nil)
    serve(emulator, wake)
    inbox?.stop()
    emulator.stop()
    if let journal, let reason = emulator.journalFailure { throw lost(journal, reason) }
    return Report(context.signals.received ?? .success)
  }

  /// Waits until it is interrupted, and prints a line per request on a terminal.
  private func serve(_ emulator: RunningEmulator, _ wake: Wake) {
    guard showsRequests, let received = emulator.received else {
      return wake.wait(milliseconds: nil)
    }
    var position = received.position(after: 0)
    while context.signals.received == nil {
      let events = received.events(after: &position, limit: 256)
      for event in events { context.teller.data.write(RequestLine(event, context).text + "\n") }
      context.teller.data.flush()
      if !events.isEmpty { continue }
      let call = received.call(after: position) { wake.call() }
      wake.wait(milliseconds: nil)
      if let call { received.cancel(call) }
    }
  }
}

// Preparation.
extension ServeEmulator {
  /// The journal's file; nil for none.
  private var journal: String? {
    if case .file(let path) = configuration.journal, path != "-" { path } else { nil }
  }

  private func lost(_ journal: String, _ reason: Int32) -> Failure {
    .lostOutput(
      FileFailure(path: journal, action: .write, fault: .system(reason), purpose: "journal"),
      after: context.signals.received ?? .success)
  }

  private func refuseOverwriting() throws(Failure) {
    let authority = serving.authorityFolder.map(AuthorityFolder.files(in:)) ?? []
    var used = FilesInUse(
      [script, trusted.path, serving.inboxKey].compactMap(\.self) + authority
        + context.configuration.allPaths)
    try used.claim("--journal", journal)
  }

  private func refuseIdleOptions() throws(Failure) {
    if serving.inbox == nil, serving.inboxKey != nil || serving.keep != nil {
      throw .missingOption("--inbox PORT")
    }
  }

  private func completeConfiguration(
    _ inbox: inout InboxConfiguration
  ) throws(Failure) -> (configuration: EmulatorConfiguration, roots: String?) {
    var configuration = configuration
    configuration.address = serving.address
    configuration.keeps = keeps
    configuration.notice = { [context] in context.teller.warn([.warning($0.text, $0.fix)]) }
    if let journal {
      configuration.journalFailed = { [self] in context.teller.warn(lost(journal, $0)) }
    } else if case .file = configuration.journal {
      configuration.journal = .entries(printed(by: context.teller.data))
    }
    if let script {
      let text = try readText(script, for: "script")
      try passing { () throws(BrokenRules) in try FaultScript(text, file: script) }
        .apply(to: &configuration)
      inbox.script = try? JSONReader(.json5).read(text)
    }
    if let key = try trusted.read(context) { configuration.trustedKeys = [key] }
    guard let folder = serving.authorityFolder else { return (configuration, nil) }
    let authority = try AuthorityFolder(folder, context)
    // Only now is it certain that the folder exists, and so which files are in it.
    try refuseOverwriting()
    configuration.authority = authority.authority
    return (configuration, authority.roots)
  }

  private func printed(by output: Output) -> @Sendable (ReceivedPush) -> Void {
    { push in
      var line = JSONWriter()
      push.write(to: &line)
      line.endLine()
      output.write(line.bytes)
      output.flush()
    }
  }

  private var keeps: Int? {
    if serving.inbox != nil { return serving.keep ?? EmulatorServing.usualKeep }
    return showsRequests ? 1000 : nil
  }
}

// Output.
extension ServeEmulator {
  private var isForPeople: Bool { context.teller.data.isTerminal && !serving.isJSON }

  /// Shows requests as lines for people, unless they would mix with the journal's lines.
  private var showsRequests: Bool {
    if case .file("-") = configuration.journal { return false }
    return isForPeople
  }

  private func warnOfAddress() {
    guard let address = serving.address, !ServerAddress(host: address).isLoopback else { return }
    context.teller.warn([
      .warning(
        "The emulator listens on \(address): whoever reaches this machine can send to it.",
        "Use --bind in containers and closed networks only.")
    ])
  }

  private func announce(_ emulator: RunningEmulator, _ inbox: Inbox?, isFound: Bool) {
    if isForPeople {
      let style = context.teller.style
      context.teller.data.write(EmulatorGreeting(emulator, inbox, isFound: isFound, style).text)
    } else {
      context.teller.data.write(readyLine(emulator, inbox))
    }
    context.teller.data.flush()
  }

  private func readyLine(_ emulator: RunningEmulator, _ inbox: Inbox?) -> [UInt8] {
    ReportJSON.bytes(
      Report(parts: ReadyEmulator(emulator: emulator, inbox: inbox, process: getpid()).parts))
  }
}

/// The line that `fanfare emulator` prints once it listens.
struct ReadyEmulator: JSONDescribed {
  let emulator: RunningEmulator
  let inbox: Inbox?
  let process: pid_t

  static let fields: [OutputField<Self>] = [
    .always("url", \.emulator.url, "Its URL."),
    .always("ca", \.emulator.rootsPath, "The certificate to trust."),
    .always("pid", \.process, "Its process ID."),
    .sometimes("manage", \.emulator.emulator.manageURL, "The URL of its second port."),
    .sometimes("inbox", \.inbox?.url, "The URL of the inbox, with its key."),
  ]
}

// The inbox.
extension ServeEmulator {
  private func openInbox(
    _ base: InboxConfiguration, _ emulator: RunningEmulator
  ) throws(Failure) -> Inbox? {
    guard let port = serving.inbox else { return nil }
    var inbox = base
    inbox.port = port
    inbox.address = serving.address
    inbox.names = serving.names
    inbox.version = fanfareVersion
    inbox.environment = configuration.environment
    inbox.deviceNames = deviceNames
    if let file = serving.inboxKey { inbox.key = try InboxKeyFile.key(in: file, context) }
    return try attempt(try Inbox(of: emulator.emulator, inbox)) {
      .website($0, "inbox", option: "--inbox")
    }
  }

  /// The names of single devices, by device token; none if the files cannot be read.
  private var deviceNames: [String: String] {
    let entries = (try? context.configuration.devices())?.effective ?? []
    let devices = entries.compactMap(\.device).map { ($0.token.hex, $0.name) }
    return Dictionary(devices) { first, _ in first }
  }

  /// Writes the notice that `--env inbox` reads; nil if that is not possible.
  private func post(_ inbox: Inbox, _ emulator: RunningEmulator) -> InboxNotices? {
    guard let notices = InboxNotices(context), let server = try? ServerAddress(url: emulator.url),
      server.isLoopback
    else { return nil }
    let notice = InboxNotice(
      process: Int(getpid()), time: Int(context.clock.epochMilliseconds()), server: server,
      roots: realPath(emulator.rootsPath) ?? emulator.rootsPath, inbox: inbox.url)
    if let obstacle = notices.post(notice) {
      context.teller.warn("inbox: '--env inbox' cannot find it: \(obstacle)")
      return nil
    }
    return notices
  }

  /// Removes what may exist only while the emulator runs. It may be called more than once.
  private func removal(of notices: InboxNotices?, _ roots: String?) -> @Sendable () -> Void {
    {
      notices?.withdraw(Int(getpid()))
      roots.map(removeFile)
    }
  }
}
