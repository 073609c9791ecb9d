internal import APNS
internal import HTTP2
internal import Opening
internal import PushModel
internal import Recipients
internal import Reporting
internal import Sending
internal import Settings
internal import Synchronization

/// Looks at files and options, and gathers what is wrong with them.
struct Checking {
  let options: Settings
  let context: Context
  private let suppression: CheckedSuppression

  init(options: Settings, context: Context) {
    (self.options, self.context) = (options, context)
    suppression = CheckedSuppression(options)
  }

  /// Checks files, folders, and what the options say.
  ///
  /// - Throws: `Failure.usage` for options that exclude each other.
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
    // A channel has no rows.
    checked += options.recipientSources.filter { $0.channel == nil }.map(list)
    // A file that was named twice, or a list that two scenarios name, is reported once.
    var seen: Set<String> = []
    let once = checked.filter { file in
      guard let name = file.file, name != "--to" else { return true }
      return seen.insert(name).inserted
    }
    return once.map { read($0, filling: fillings(of: $0, among: once)) } + suppression.faults
  }

  /// What the rows of a list fill: what a scenario sends to it; and what the command line names beside
  /// it, where that leaves no doubt.
  private func fillings(of list: CheckedFile, among files: [CheckedFile]) -> [RowFilling] {
    guard let source = list.unread else { return [] }
    let given = options.recipientSources
    let isOnlyPayload = files.count { $0.kind == .payload && $0.isNamed } == 1
    let isArgument = list.isNamed && given.isEmpty
    return files.flatMap { file in
      file.fillings.filter { filling in
        if let sources = filling.sources, !sources.isEmpty { return sources.contains(source) }
        let isMeant = file.kind == .scenario || isOnlyPayload
        return file.isNamed && (given.contains(source) || isArgument && isMeant)
      }
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
    // A scenario that others extend is checked with them.
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
}

// What a file of each kind is checked for.
extension Checking {
  /// No server is used and no secret is read: what variables say of them does not count.
  private static let parts: Set<SettingField.Part> = [.what, .headers, .to]

  /// A file in place of the payload that options name, with what else they say of it.
  private func payload(_ path: String) throws(Failure) -> CheckedFile {
    var options = options
    (options.payloadText, options.example) = (nil, nil)
    options.payload = Setting(path, .setting("--payload"))
    return try payload(options, at: path)
  }

  private func payload(_ options: Settings, at path: String?) throws(Failure) -> CheckedFile {
    let settings = try options.merged(reading: Self.parts, context)
    var assembly = DraftAssembly(settings, context)
    assembly.presumedType = path.flatMap { PushType(namedByFolderOf: $0) }
    return try draft(&assembly, of: CheckedFile(file: path, kind: .payload), for: nil)
  }

  private func scenario(_ path: String) throws(Failure) -> [CheckedFile] {
    var checked = CheckedFile(file: path, kind: .scenario)
    do throws(Failure) {
      let (written, problems) = try readScenarioInPart(path, context)
      let scenario = written.sending(to: options.channel)
      try add(scenario, besides: problems, to: &checked)
      // A value that is not a path may be the key itself.
      if !problems.contains(where: { $0.place.description.hasPrefix("credentials") }) {
        let faults = scenario.settings.credentialFaults(context)
        checked.problems += faults.map { Problem($0, in: path) }
      }
      let steps = scenario.steps.filter { options.counting(for: $0).recipientSources.isEmpty }
      let lists = steps.flatMap(\.recipients).compactMap(\.source).filter {
        if case .file = $0 { true } else { false }
      }
      return [checked] + lists.map(list) + (scenario.script.map { [script($0)] } ?? [])
    } catch {
      if case .usage = error.content { throw error }
      if error.cause is MistakenFile { return [script(path)] }
      checked.problems += Problem.all(of: error, in: path)
      return [checked]
    }
  }

  /// The errors of a scenario that keep it from being sent, as far as its files show them.
  ///
  /// - Parameter problems: what is wrong with its file.
  func errors(of scenario: Scenario, besides problems: [Problem]) -> [Problem] {
    var checked = CheckedFile(file: scenario.file, kind: .scenario)
    do throws(Failure) {
      try add(scenario, besides: problems, to: &checked)
    } catch {
      if case .problems(let more) = error.content { checked.problems += more }
    }
    checked.problems += missingLists(of: scenario)
    let isForced = options.force.isOn
    return checked.problems.filter { problem in
      // A push that lacks a value is skipped, and the others are sent.
      problem.severity == .error && problem.rule != "placeholder-unfilled"
        && !(isForced && problem.isForceable)
    }
  }

  private func missingLists(of scenario: Scenario) -> [Problem] {
    if !options.recipientSources.isEmpty { return [] }
    let paths = scenario.steps.flatMap(\.recipients).compactMap { $0.source?.path }
    return Set(paths.filter { !fileExists($0) }).sorted().map { path in
      Problem(.list(ListError(list: path, fault: .missing)), in: path)
    }
  }

  /// Adds what is wrong with a scenario's file, and with its steps. Where the file was not read
  /// whole, a step may lack what the file says, so that only what is there counts.
  private func add(
    _ scenario: Scenario, besides problems: [Problem], to checked: inout CheckedFile
  ) throws(Failure) {
    checked.problems += problems
    for step in scenario.steps {
      var part = try self.step(step, of: scenario, scenario.file)
      if !problems.isEmpty {
        part.problems.removeAll { $0.line == nil || $0.rule == "placeholder-unfilled" }
        part.fillings = []
      }
      checked.add(part, isFirst: step.number == 1)
    }
  }

  private func step(
    _ step: ScenarioStep, of scenario: Scenario, _ path: String
  ) throws(Failure) -> CheckedFile {
    let options = options.counting(for: step)
    let (sources, devices, unknown) = try recipients(of: step, options.recipientSources)
    let settings = try options.merged(
      over: scenario.settings(for: step), for: devices, reading: Self.parts, context)
    var assembly = DraftAssembly(settings, else: step.payload, context)
    assembly.channelStorage = step.channel?.storage
    let file = CheckedFile(file: path, kind: .scenario)
    var checked = try draft(&assembly, of: file, for: scenario)
    checked.problems += unknown
    // Single device tokens have no variables, so that what is missing now is missing then.
    if !sources.isEmpty, !sources.haveVariables, let missing = checked.variables.first {
      checked.problems.append(.unfilled(missing, in: step))
      checked.fillings = []
    }
    checked.fillings = checked.fillings.map { RowFilling(template: $0.template, sources: sources) }
    return checked
  }

  /// Where a step goes, and names that are not known.
  ///
  /// - Parameter given: the recipients that options give.
  private func recipients(
    of step: ScenarioStep, _ given: [RecipientSource]
  ) throws(Failure) -> (sources: [RecipientSource], devices: [Device], unknown: [Problem]) {
    if !given.isEmpty { return (given, [], []) }
    if step.channel != nil { return ([.channel(Scenario.channelToCome)], [], []) }
    var (sources, devices, unknown): ([RecipientSource], [Device], [Problem]) = ([], [], [])
    for recipient in step.recipients {
      do throws(Failure) {
        let found = try context.found([recipient])
        sources += found.sources
        devices += found.devices
      } catch {
        guard let fault = error.cause as? DeviceError, case .device(_, _, let origin) = recipient
        else { throw error }
        let (what, fix) = fault.clauses
        unknown.append(
          Problem(
            .error, rule: "device", at: .other("recipients"), from: origin, message: what,
            fix: fix, isForceable: false))
      }
    }
    return (sources, devices, unknown)
  }

  private func script(_ path: String) -> CheckedFile {
    let script = Result { () throws(Failure) in try readScript(path) }
    let problems: [Problem] =
      if case .failure(let error) = script { Problem.all(of: error, in: path) } else { [] }
    return CheckedFile(file: path, kind: .script, problems: problems)
  }

  /// A list, which is read once it is known what its rows fill.
  private func list(_ source: RecipientSource) -> CheckedFile {
    CheckedFile(file: source.name, kind: .list, unread: source)
  }

  /// A list that was read; any other file as it is.
  private func read(_ file: CheckedFile, filling fillings: [RowFilling]) -> CheckedFile {
    guard let source = file.unread else { return file }
    let list = ListCheck(
      source, format: options.listFormat,
      selection: options.selection(without: suppression.tokens),
      rendering: RowFillings(fillings, force: options.force.isOn, excusing: Self.excused))
    let badLines = list.badLines.map { Problem($0, isShownWhole: options.showTokens.isOn) }
    let badRows = list.badRows.flatMap { row in
      row.problems.map { Problem($0, list: source.name, line: row.line) }
    }
    let error = list.error.map { [Problem(.list($0), in: $0.list)] } ?? []
    return CheckedFile(
      file: source.name, kind: .list,
      problems: badLines + badRows + error + shortTokens(list), list: list)
  }

  /// One warning for a list with device tokens that are too short to be Apple's.
  private func shortTokens(_ list: ListCheck) -> [Problem] {
    let short = list.tokenLengths.filter { $0.key < DeviceToken.usualDigits }
    let settings = try? options.merged(reading: [], context)
    guard !short.isEmpty, case .named(let environment)? = settings?.environment?.value,
      environment.isApple
    else { return [] }
    let count = short.values.reduce(0, +)
    return [
      Problem(
        .warning, rule: "short-token", at: .other("token"), from: .file(list.source.name),
        message:
          "\(counted(count, "device token")) with fewer than \(DeviceToken.usualDigits) digits.",
        fix: "Check that the device tokens were copied whole.", isForceable: false)
    ]
  }

  /// Nothing is sent, so no app is needed.
  private static let excused: Set<String> = ["topic-missing", "bundle-id-missing"]

  /// Puts a draft together, and adds to a file what is wrong with it.
  private func draft(
    _ assembly: inout DraftAssembly, of file: CheckedFile, for scenario: Scenario?
  ) throws(Failure) -> CheckedFile {
    var checked = file
    assembly.isToBeSent = false
    do throws(Failure) {
      let draft = try assembly.draft()
      var rules = RuleContext(
        now: context.clock.epochSeconds, authentication: authentication(for: scenario))
      if let storage = assembly.channelStorage { rules.channelStorage = .known(storage) }
      let template = Template(draft, variables: assembly.variables, in: rules)
      checked.pushType = draft.pushType
      checked.variables = template?.neededNames ?? []
      checked.bytes = length(of: draft, template)
      let problems = problems(in: draft, template, assembly, rules)
      checked.problems = file.file.map { name in problems.map { $0.placed(in: name) } } ?? problems
      // What is wrong whatever the rows say is told once.
      if let template, !problems.contains(where: \.isWrongForAllRows) {
        checked.fillings = [RowFilling(template: template, sources: nil)]
      }
    } catch {
      let place = (error.cause as? FileFailure)?.path
      guard place != nil || error.cause is PayloadChangeError else { throw error }
      checked.problems = Problem.all(of: error, in: file.file ?? place ?? "--set")
    }
    return checked
  }

  private func problems(
    in draft: Draft, _ template: Template?, _ assembly: DraftAssembly, _ rules: RuleContext
  ) -> [Problem] {
    // Broken JSON tells no push type.
    let isUnreadable = draft.payload.map { $0.json == nil } ?? false
    let excused = Self.excused.union(isUnreadable ? ["push-type-missing"] : [])
    let all = template?.problems ?? RuleTable.problems(in: draft, rules)
    let problems = all.filter { !excused.contains($0.rule) }
    guard draft.payload?.file?.lowercased().hasSuffix(".apns") ?? false else { return problems }
    let addressed = draft.addressed(to: assembly.simulatorTarget)
    return problems + unfilled(template) + RuleTable.simulatorProblems(in: addressed, rules)
  }

  /// Placeholders that a simulator, which fills in nothing, would show as braces.
  private func unfilled(_ template: Template?) -> [Problem] {
    do throws(BrokenRules) {
      _ = try template?.filled()
      return []
    } catch {
      return error.problems.filter { $0.rule == "placeholder-unfilled" }
    }
  }

  /// The bytes of a payload; nil when they depend on the recipient.
  private func length(of draft: Draft, _ template: Template?) -> Int? {
    guard let template else { return draft.payload?.bytes.count }
    return template.names.isEmpty ? (try? template.filled())?.payload?.bytes.count : nil
  }

  /// How the sender will authenticate; nil when unknown. The emulator accepts either way.
  private func authentication(for scenario: Scenario?) -> Authentication? {
    let layer = scenario?.settings ?? Settings()
    var settings = (try? options.merged(over: layer, reading: [], context)) ?? Settings()
    do { try settings.findCredentials(context) } catch { settings.forget(.credentials) }
    if settings.certificate != nil { return .certificate }
    let environment = (options.environment ?? layer.environment)?.value
    let needsCredentials = !(environment?.isEmulator ?? true)
    return needsCredentials || (scenario != nil && settings.key != nil) ? .token : nil
  }
}

extension Problem {
  /// An error that does not come of a value that a row may have.
  fileprivate var isWrongForAllRows: Bool { severity == .error && rule != "placeholder-unfilled" }
}

/// The lists of `--suppress`, read to their ends, and what is wrong with them.
private struct CheckedSuppression {
  /// The device tokens not to send to; nil when none were given, or a list could not be read.
  private(set) var tokens: SuppressedTokens?
  /// The lists with something wrong.
  private(set) var faults: [CheckedFile] = []

  init(_ options: Settings) {
    let found = Mutex<[BadLine]>([])
    let suppression = Suppression(options.suppressedSources, format: options.listFormat) { line in
      found.withLock { if $0.count < ListCheck.badLineLimit { $0.append(line) } }
    }
    do throws(ListError) {
      tokens = try suppression.tokens()
    } catch {
      add([Problem(.list(error), in: error.list)], in: error.list)
    }
    let byList = Dictionary(grouping: found.withLock { $0 }, by: \.list)
    for (list, lines) in byList.sorted(by: { $0.key < $1.key }) {
      add(lines.map { Problem($0, isShownWhole: options.showTokens.isOn) }, in: list)
    }
  }

  private mutating func add(_ problems: [Problem], in list: String) {
    faults.append(CheckedFile(file: list, kind: .list, problems: problems))
  }
}
