internal import APNS
internal import HTTP2
internal import Recipients
internal import Reporting
internal import Settings
internal import Synchronization

/// Checks files and options, and collects their problems.
struct Checking {
  let options: Settings
  let context: Context
  let suppression: CheckedSuppression

  /// Excludes server and credentials: neither is used, so their variables do not matter.
  static let parts: Set<SettingField.Part> = [.what, .headers, .to]

  /// No app is needed, because nothing is sent.
  static let excused: Set<String> = ["topic-missing", "bundle-id-missing"]

  init(options: Settings, context: Context) {
    (self.options, self.context) = (options, context)
    suppression = CheckedSuppression(options)
  }

  /// Checks files, folders and options.
  ///
  /// - Throws: `Failure.usage` for conflicting options.
  func check(_ paths: [String]) throws(Failure) -> [CheckedFile] {
    var checked: [CheckedFile] = []
    for path in paths {
      var files = try check(path)
      if !files.isEmpty, !FolderListing.isFolder(path) { files[0].isNamed = true }
      checked += files
    }
    let hasPayload = checked.contains { $0.kind == .payload || $0.kind == .scenario }
    if options.namePayload || (options.makePayload && !hasPayload) {
      var file = try payload(options, at: options.payload?.value)
      file.isNamed = true
      checked.append(file)
    }
    // A channel does not have rows.
    checked += options.recipientSources.filter { $0.channel == nil }.map(list)
    // A file named twice, or a list that two scenarios share, is reported once.
    var seen: Set<String> = []
    let once = checked.filter { file in
      guard let name = file.file, name != "--to" else { return true }
      return seen.insert(name).inserted
    }
    let told = once.map { file in
      var told = read(file, filling: once.flatMap { fillings(of: $0, by: file, among: once) })
      told.isFilled = once.contains { !fillings(of: file, by: $0, among: once).isEmpty }
      told.problems = shown(told.problems, of: file.owner)
      return told
    }
    return told + suppression.faults
  }

  /// The problems, without the contents of files outside a project.
  ///
  /// - Parameter owner: the scenario that names the files; nil if the user did.
  func shown(_ problems: [Problem], of owner: String?) -> [Problem] {
    let configuration = context.configuration
    let known = [configuration.ownFile, configuration.deviceFile, options.payload?.value]
    return problems.hidingContents(outsideProjectOf: owner, except: known.compactMap(\.self))
  }

  /// The templates of a file that a list's rows fill: those of a scenario that sends to it, and the
  /// command line's payload if it is unambiguous.
  private func fillings(
    of file: CheckedFile, by list: CheckedFile, among files: [CheckedFile]
  ) -> [RowFilling] {
    guard let source = list.unread else { return [] }
    let given = options.recipientSources
    let isOnlyPayload = files.count { $0.kind == .payload && $0.isNamed } == 1
    let isArgument = list.isNamed && given.isEmpty
    return file.fillings.filter { filling in
      if let sources = filling.sources, !sources.isEmpty { return sources.contains(source) }
      let isMeant = file.kind == .scenario || isOnlyPayload
      return file.isNamed && (given.contains(source) || isArgument && isMeant)
    }
  }

  private func check(_ path: String) throws(Failure) -> [CheckedFile] {
    if path == "-" { return [try payload(path)] }
    if FolderListing.isFolder(path) { return try folder(path) }
    if !fileExists(path) {
      return [unreadable(path, .missing, purpose: "named", FileKind(path: path))]
    }
    if context.configuration.isOwn(path) { return try file(path, .configuration) }
    if let kind = FileKind(path: path) { return try file(path, kind) }
    return [CheckedFile(file: path, kind: nil, problems: [.unknownKind(of: path)])]
  }

  private func folder(_ path: String) throws(Failure) -> [CheckedFile] {
    let listing = FolderListing(path)
    var checked = listing.unreadable.sorted { $0.key < $1.key }.map { folder, code in
      unreadable(folder, .system(code), purpose: "folder", nil)
    }
    // A base scenario is checked with those that extend it.
    let scenarios = listing.files.filter { FileKind(foundAt: $0) == .scenario }
    let bases = ScenarioFolder(scenarios, home: context.environment["HOME"]) {
      try? readFile($0, for: "scenario")
    }.bases
    for path in listing.files where !bases.contains(path) {
      if let kind = FileKind(foundAt: path) { checked += try file(path, kind) }
    }
    return checked
  }

  private func unreadable(
    _ path: String, _ fault: FileFailure.Fault, purpose: String, _ kind: FileKind?
  ) -> CheckedFile {
    let failure = FileFailure(path: path, action: .read, fault: fault, purpose: purpose)
    return CheckedFile(file: path, kind: kind, problems: [Problem(.file(failure), in: path)])
  }

  /// Checks a file according to its kind.
  private func file(_ path: String, _ kind: FileKind) throws(Failure) -> [CheckedFile] {
    switch kind.lookingInto(path) {
    case .payload: [try payload(path)]
    case .scenario: try scenario(path)
    case .script: [script(path)]
    case .list: [list(.file(path))]
    case .configuration:
      [CheckedFile(file: path, kind: kind, problems: context.configuration.problems(of: path))]
    }
  }

  func script(_ path: String) -> CheckedFile {
    let script = Result { () throws(Failure) in try readScript(path) }
    let problems: [Problem] =
      if case .failure(let error) = script { Problem.all(of: error, in: path) } else { [] }
    return CheckedFile(file: path, kind: .script, problems: problems)
  }
}
