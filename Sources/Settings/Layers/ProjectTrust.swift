package import APNS
internal import HTTP2
internal import POSIX
internal import PlainText
internal import PushModel
package import Reporting
internal import SQLHistory

/// The requests of a project's files, and of runs in a shared history, that the user must see,
/// because another person may have written them.
package struct ProjectTrust {
  /// A request of a file or run.
  struct Request: Hashable {
    let origin: Origin
    /// The action, to follow the name of its source.
    let deed: String
    /// The folder of the project, or the history.
    let root: String

    var sentence: String { "\(source.printable) \(deed)" }

    private var source: String {
      origin.sharedHistory.map { "\(origin.text) of the history at \(HistoryLocation($0).shown)" }
        ?? origin.text
    }

    /// The key to remember the request by, independent of line numbers.
    var key: String { "\(root.printable)\t\((origin.file ?? "").lastName.printable) \(deed)" }
  }

  let requests: [Request]
  /// The consent on the command line, in words; nil where no option gives it.
  private var consent: String? = "give --trust-project"
  /// The consequence of a refusal.
  private var refused = "nothing was sent"
  private let settings: Settings
  private let context: Context

  /// - Parameters:
  ///   - settings: all layers, merged.
  ///   - scenario: its file, and the files that it has read.
  ///   - isShown: what they hold is shown, and nothing is sent.
  package init(
    _ settings: Settings, scenario: (file: String, reads: [String])? = nil, isShown: Bool = false,
    _ context: Context
  ) {
    (self.settings, self.context) = (settings, context)
    if isShown { (consent, refused) = (nil, "nothing was shown") }
    let reading = scenario.map { scenario in
      let root = ProjectRoot(of: scenario.file)
      return root.deeds(reading: scenario.reads).map {
        Request(origin: .file(scenario.file), deed: $0, root: root.path)
      }
    }
    let sending = isShown ? [] : settings.crediting(context).requests(context)
    requests = sending + (reading ?? [])
  }

  /// Requests to read the files that a run names, since the run may also name who gets them.
  ///
  /// - Parameter settings: at least those of the command line.
  package init(_ settings: Settings, reading files: [String], of run: Origin, _ context: Context) {
    (self.settings, self.context) = (settings, context)
    let root = ProjectRoot(around: ProcessFacts.workingFolder, context.home)
    let deeds =
      root?.deeds(reading: files) ?? Set(files).sorted().map { "reads \($0.printable)" }
    requests =
      run.sharedHistory.map { history in
        deeds.map { Request(origin: run, deed: $0, root: history) }
      } ?? []
  }

  /// Requests to use the profiles of a project's file that belongs to another user.
  ///
  /// - Parameter settings: the layers above the profile.
  init(forProfilesBelow settings: Settings, _ context: Context) {
    (self.settings, self.context) = (settings, context)
    refused = "its profiles were not used"
    requests =
      context.configuration.foreignProjectFile.map { file in
        let deed = "belongs to another user (\(file.owner))"
        return [.init(origin: .file(file.path), deed: deed, root: ProjectRoot(of: file.path).path)]
      } ?? []
  }

  /// Requests to query a history database named by the project's file. A history in a file is only
  /// read, which needs no consent.
  ///
  /// - Parameter settings: all layers, merged.
  package init(forHistoryOf settings: Settings, _ context: Context) {
    (self.settings, self.context) = (settings, context)
    let isFile = settings.history.flatMap { HistoryLocation($0.value).file } != nil
    requests = isFile ? [] : [settings.historyRequest(context)].compactMap(\.self)
    (consent, refused) = ("name it with --history", "it was not read")
  }

  /// Prints the requests. New ones need consent: by a setting, or on the terminal, where the answer
  /// is remembered.
  ///
  /// - Throws: `Failure` without consent.
  package func require() throws(Failure) {
    let answers = context.configuration.answers
    let new = requests.filter { answers[$0.key] != true }
    if new.isEmpty { return }
    let memory = TrustMemory(context)
    let unknown = try isTrusted() ? [] : new.filter { !memory.keys.contains($0.key) }
    if unknown.isEmpty {
      for request in new { context.teller.note(request.sentence) }
    } else {
      if unknown.contains(where: { answers[$0.key] == false }) { throw refusal(unknown) }
      let isAgreed = context.teller.confirms(question(unknown)) ?? false
      for request in unknown { context.configuration.answers[request.key] = isAgreed }
      if !isAgreed { throw refusal(unknown) }
      memory.add(unknown.map(\.key))
    }
    for request in new { context.configuration.answers[request.key] = true }
  }

  /// The requests have been agreed to, so that nobody would be asked. To be shown them is not to
  /// agree.
  func isAgreed() throws(Failure) -> Bool {
    if settings.trustProject?.origin != .builtIn, try isTrusted() { return true }
    let (answers, memory) = (context.configuration.answers, TrustMemory(context))
    return requests.allSatisfy { answers[$0.key] ?? memory.keys.contains($0.key) }
  }

  private func isTrusted() throws(Failure) -> Bool {
    if settings.trustProject.isOn { return true }
    return try context.answer(.trustProject) ?? false
  }

  private func refusal(_ unknown: [Request]) -> Failure {
    let ways = [consent, "set FANFARE_TRUST_PROJECT=1"].compactMap(\.self)
    return Failure(
      "\(unknown.map(\.sentence).joined(separator: "; ")): \(refused).",
      fix: "If that is intended, \(ways.joined(separator: ", or ")).", rule: "trust")
  }

  private func question(_ unknown: [Request]) -> String {
    unknown.map { $0.sentence + "\n" }.joined() + "Is that intended? [y/N] "
  }
}

extension Settings {
  /// Attributes values of a shared run to a variable or profile of the user that sets the same.
  fileprivate func crediting(_ context: Context) -> Settings {
    let origins = [environment?.origin, proxy?.origin, ca?.origin]
    guard origins.contains(where: { $0?.sharedHistory != nil }) else { return self }
    // The run's profile may not exist here.
    let layers = [profile, nil].compactMap { named in
      var none = Settings()
      none.profile = named
      return try? none.merged(reading: [.place], context)
    }
    guard let own = layers.first else { return self }
    var credited = self
    credited.environment = environment.credited(own.environment)
    (credited.proxy, credited.ca) = (proxy.credited(own.proxy), ca.credited(own.ca))
    return credited
  }

  /// The requests about the destination of pushes and credentials, by files other than the user's
  /// own and runs that others can write.
  fileprivate func requests(_ context: Context) -> [ProjectTrust.Request] {
    func request(_ origin: Origin?, _ deed: String) -> ProjectTrust.Request? {
      origin.flatMap { .init($0, deed, context) }
    }
    let kept = historyRequest(context)
    if environment?.value.isEmulator ?? false { return [kept].compactMap(\.self) }
    let host = destination
    let isLocal = host?.value.isLoopback ?? false
    return [
      host.flatMap {
        isLocal || $0.value.isApple
          ? nil : request($0.origin, "sends your credentials to \($0.value)")
      },
      proxy.flatMap {
        let deed = "connects through the proxy \(URLLogin.cut(from: $0.value).printable)"
        return $0.value.isEmpty ? nil : request($0.origin, deed)
      },
      isLocal
        ? nil
        : ca.flatMap { request($0.origin, "trusts the certificates in \($0.value.printable)") },
      kept,
    ].compactMap(\.self)
  }

  /// The request to keep the history outside the project or in a database; nil if there is none.
  fileprivate func historyRequest(_ context: Context) -> ProjectTrust.Request? {
    guard let history, let file = history.origin.file else { return nil }
    let place = HistoryLocation(history.value)
    // An unusable location is refused later, without being shown.
    if place.fault != nil || place.file.map(ProjectRoot(of: file).contains) ?? false {
      return nil
    }
    return .init(history.origin, "keeps the history in \(place.text.printable)", context)
  }

  /// The server that pushes go to, unless it is that of a named environment.
  private var destination: Setting<ServerAddress>? {
    if channel != nil, let host = broadcastHost, let address = try? ServerAddress(host, port: nil) {
      return Setting(address, host.origin)
    }
    guard let environment, case .named(.server(let address)) = environment.value else { return nil }
    return Setting(address, environment.origin)
  }
}

extension Optional {
  /// The user's own setting, if it has the same value as that of a run that others can write.
  fileprivate func credited<Value: Equatable>(_ own: Self) -> Self where Wrapped == Setting<Value> {
    self?.origin.sharedHistory != nil && self?.value == own?.value ? own : self
  }
}

extension ProjectTrust.Request {
  /// - Returns: nil for an origin of the user: an option, a variable, or the user's own file.
  fileprivate init?(_ origin: Origin, _ deed: String, _ context: Context) {
    if let history = origin.sharedHistory {
      self.init(origin: origin, deed: deed, root: history)
      return
    }
    guard let file = origin.file, !context.configuration.isTrusted(file) else { return nil }
    self.init(origin: origin, deed: deed, root: ProjectRoot(of: file).path)
  }
}

extension ServerAddress {
  /// The address stays on this machine.
  package var isLoopback: Bool {
    let name = host.lowercased()
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return name == "localhost" || name == "::1"
      || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
  }

  fileprivate var isApple: Bool {
    PushEnvironment.named.contains { $0.address?.host == host.lowercased() }
  }
}

/// Earlier consents, one per line in a file of the user's.
private struct TrustMemory {
  let keys: Set<String>
  private let path: String?

  init(_ context: Context) {
    path = context.stateFolder.map { $0 + "/trusted" }
    let isOwn = path.map { fileExists($0) && OwnershipFault(of: $0) == nil } ?? false
    let bytes = isOwn ? path.flatMap { try? readFile($0, for: "list of what is trusted") } : nil
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    keys = Set(lines.map(String.init))
  }

  /// Adds consents. If the file cannot be written, the question comes again.
  func add(_ keys: [String]) {
    guard let path else { return }
    try? createFolders(of: path, mode: 0o700)
    let text = keys.map { $0 + "\n" }.joined()
    guard let file = try? openFile(path, for: "list of what is trusted") else { return }
    let bytes = Array(text.utf8)
    _ = write(file, bytes, bytes.count)
    close(file)
  }
}

extension String {
  /// The last component of a path.
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
