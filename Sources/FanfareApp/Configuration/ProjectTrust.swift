internal import APNS
internal import POSIX
internal import PlainText
internal import Projects
internal import PushModel

/// What files of a project ask for and may not have unseen, because another person may have written
/// them.
struct ProjectTrust {
  /// What one of the files asks for.
  struct Request: Hashable {
    let origin: Origin
    /// What it does, to be read after its name.
    let deed: String
    /// The folder of the project.
    let root: String

    var sentence: String { "\(origin.text.printable) \(deed)" }

    /// What is remembered: it stays the same when lines are added above.
    var key: String { "\(root.printable)\t\((origin.file ?? "").lastName.printable) \(deed)" }
  }

  let requests: [Request]
  /// What says that it is intended, on the command line.
  private var consent = "give --trust-project"
  private let settings: Settings
  private let context: Context

  /// - Parameters:
  ///   - settings: all layers, merged.
  ///   - scenario: its file, and the files that it has read.
  init(
    _ settings: Settings, scenario: (file: String, reads: [String])? = nil, _ context: Context
  ) {
    (self.settings, self.context) = (settings, context)
    let reading = scenario.map { scenario in
      let root = ProjectRoot(of: scenario.file)
      return Set(scenario.reads).filter { !root.contains($0) }.sorted().map { path in
        let deed = "reads \(path.printable), which is outside \(root.path.printable)"
        return Request(origin: .file(scenario.file), deed: deed, root: root.path)
      }
    }
    requests = settings.requests(context) + (reading ?? [])
  }

  /// Whether the profiles of the project's file may be used at all.
  ///
  /// - Parameter settings: the layers above the profile.
  init(forProfilesBelow settings: Settings, _ context: Context) {
    (self.settings, self.context) = (settings, context)
    requests =
      context.configuration.foreignProjectFile.map { file in
        let deed = "belongs to another user (\(file.owner))"
        return [.init(origin: .file(file.path), deed: deed, root: ProjectRoot(of: file.path).path)]
      } ?? []
  }

  /// Whether the database may be asked that the project's file names for the history. A file is only
  /// read.
  ///
  /// - Parameter settings: all layers, merged.
  init(forHistoryOf settings: Settings, _ context: Context) {
    (self.settings, self.context) = (settings, context)
    let isDatabase = settings.history.map { HistoryLocation($0.value).isPostgreSQL } ?? false
    requests = isDatabase ? [settings.historyRequest(context)].compactMap(\.self) : []
    consent = "name it with --history"
  }

  /// Tells what is asked for. What is new has to be agreed to: by a setting, or on the terminal,
  /// where it is remembered.
  ///
  /// - Throws: `Failure` when it was not agreed to.
  func require() throws(Failure) {
    let answers = context.configuration.answers
    let new = requests.filter { answers[$0.key] != true }
    if new.isEmpty { return }
    let memory = TrustMemory(context)
    let isTrusted = settings.trustProject.isOn || context.value(.trustProject) == "1"
    let unknown = isTrusted ? [] : new.filter { !memory.keys.contains($0.key) }
    if unknown.isEmpty {
      if !settings.quiet.isOn { for request in new { context.say(request.sentence) } }
    } else {
      if unknown.contains(where: { answers[$0.key] == false }) { throw refusal(unknown) }
      let isAgreed = context.confirms(question(unknown)) ?? false
      for request in unknown { context.configuration.answers[request.key] = isAgreed }
      if !isAgreed { throw refusal(unknown) }
      memory.add(unknown.map(\.key))
    }
    for request in new { context.configuration.answers[request.key] = true }
  }

  private func refusal(_ unknown: [Request]) -> Failure {
    Failure(
      "\(unknown.map(\.sentence).joined(separator: "; ")): nothing was sent.",
      fix: "If that is intended, \(consent), or set FANFARE_TRUST_PROJECT=1.", rule: "trust")
  }

  private func question(_ unknown: [Request]) -> String {
    unknown.map { $0.sentence + "\n" }.joined() + "Is that intended? [y/N] "
  }
}

extension Settings {
  /// What files other than the user's own say of where pushes and credentials go.
  fileprivate func requests(_ context: Context) -> [ProjectTrust.Request] {
    func request(_ origin: Origin?, _ deed: String) -> ProjectTrust.Request? {
      origin.flatMap { .init($0, deed, context) }
    }
    let kept = historyRequest(context)
    if environment?.value.isEmulator ?? false { return [kept].compactMap(\.self) }
    let host = server(of: environment?.value)
    let isLocal = host?.isLoopback ?? false
    return [
      host.flatMap { $0.isLoopback || $0.isApple ? nil : $0 }.flatMap {
        request(environment?.origin, "sends your credentials to \($0)")
      },
      proxy.flatMap {
        let deed = "connects through the proxy \(withoutLogin($0.value).printable)"
        return $0.value.isEmpty ? nil : request($0.origin, deed)
      },
      isLocal
        ? nil
        : ca.flatMap { request($0.origin, "trusts the certificates in \($0.value.printable)") },
      kept,
    ].compactMap(\.self)
  }

  /// Whether the history is kept outside the project, or in a database, wherever that is.
  fileprivate func historyRequest(_ context: Context) -> ProjectTrust.Request? {
    guard let history, let file = history.origin.file else { return nil }
    let place = HistoryLocation(history.value)
    // One that cannot be used is refused later, without being shown.
    if place.fault != nil || place.isPath && ProjectRoot(of: file).contains(place.text) {
      return nil
    }
    return .init(history.origin, "keeps the history in \(place.text.printable)", context)
  }

  /// The address of a server of one's own.
  private func server(of environment: EnvironmentSetting?) -> ServerAddress? {
    if case .named(.server(let address))? = environment { address } else { nil }
  }
}

extension ProjectTrust.Request {
  /// - Returns: nil for what the user says: an option, a variable, or the user's own file.
  fileprivate init?(_ origin: Origin, _ deed: String, _ context: Context) {
    guard let file = origin.file, !context.configuration.isOwn(file) else { return nil }
    self.init(origin: origin, deed: deed, root: ProjectRoot(of: file).path)
  }
}

extension ServerAddress {
  /// Whether what is sent there stays on this machine.
  var isLoopback: Bool {
    let name = host.lowercased()
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return name == "localhost" || name == "::1"
      || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
  }

  fileprivate var isApple: Bool {
    PushEnvironment.named.contains { $0.address?.host == host.lowercased() }
  }
}

/// The folder whose files are a project's own: the nearest above a file that is a repository, or has
/// a `fanfare.json`; without one, the folder above the file's.
struct ProjectRoot {
  let path: String

  init(of file: String) {
    let written = parentFolder(of: file)
    let folder = realPath(written) ?? written
    let parent = parentFolder(of: folder)
    path =
      sequence(first: folder, next: Self.above).first(where: Self.isRoot)
      ?? (parent == "/" ? folder : parent)
  }

  /// Whether a path leads to a file in it, links included. What is not there counts as the nearest
  /// folder above it.
  func contains(_ file: String) -> Bool {
    // What the caller's shell has opened.
    let isOpen = file.hasPrefix("/dev/fd/") && UInt16(file.dropFirst(8)) != nil
    if isOpen || file == "-" || file == "/dev/stdin" { return true }
    let places = sequence(first: file, next: Self.above)
    guard let real = places.lazy.compactMap(realPath).first else { return true }
    return real == path || real.hasPrefix(path == "/" ? path : path + "/")
  }

  private static func above(_ path: String) -> String? {
    path == "/" || path == "." ? nil : parentFolder(of: path)
  }

  /// Whether the user or root has made a folder a project.
  private static func isRoot(_ folder: String) -> Bool {
    [".git", Configuration.name].contains { name in
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0 else { return false }
      return status.st_uid == geteuid() || status.st_uid == 0
    }
  }
}

/// What was agreed to before: a line each, in a file of the user's.
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

  /// Where this cannot be written, the question comes again.
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
  /// The last part of a path.
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
