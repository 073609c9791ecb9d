internal import APNS
internal import HTTP2
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import Settings
internal import Synchronization

// Payloads in a file or in options.
extension Checking {
  /// Checks a file in place of the options' payload, with their other values.
  func payload(_ path: String) throws(Failure) -> CheckedFile {
    var options = options
    (options.payloadText, options.example) = (nil, nil)
    options.payload = Setting(path, .setting("--payload"))
    return try payload(options, at: path)
  }

  func payload(_ options: Settings, at path: String?) throws(Failure) -> CheckedFile {
    let order = try DraftOrder(options, reading: Self.parts, context)
    return try draft(of: order, CheckedFile(file: path, kind: .payload), for: nil)
  }

  /// Assembles a draft, and adds its problems to a file.
  func draft(
    of order: DraftOrder, _ file: CheckedFile, for scenario: Scenario?
  ) throws(Failure) -> CheckedFile {
    var (checked, assembly) = (file, order.unsent)
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
      // Problems that do not depend on the row are reported once.
      if let template, !problems.contains(where: \.isWrongForAllRows) {
        checked.fillings = [RowFilling(template: template, sources: nil)]
      }
    } catch {
      let place = error.cause(FileFailure.self)?.path
      guard place != nil || error.cause(PayloadChangeError.self) != nil else { throw error }
      checked.problems = Problem.all(of: error, in: file.file ?? place ?? "--set")
    }
    return checked
  }

  private func problems(
    in draft: Draft, _ template: Template?, _ assembly: DraftAssembly, _ rules: RuleContext
  ) -> [Problem] {
    // The push type of broken JSON is unknown.
    let isUnreadable = draft.payload.map { $0.json == nil } ?? false
    let excused = Self.excused.union(isUnreadable ? ["push-type-missing"] : [])
    let all =
      (template?.problems ?? RuleTable.problems(in: draft, rules))
      + draft.problemsBehindSlips(assembly.variables, in: rules)
    let problems = all.filter { !excused.contains($0.rule) }
    guard draft.payload?.file?.lowercased().hasSuffix(".apns") ?? false else { return problems }
    let addressed = draft.addressed(to: assembly.simulatorTarget)
    return problems + unfilled(template) + RuleTable.simulatorProblems(in: addressed, rules)
  }

  /// Placeholders, which a simulator does not fill in and would show as braces.
  private func unfilled(_ template: Template?) -> [Problem] {
    do throws(BrokenRules) {
      _ = try template?.filled()
      return []
    } catch {
      return error.problems.filter { $0.rule == "placeholder-unfilled" }
    }
  }

  /// The bytes of a payload; nil if they depend on the recipient.
  private func length(of draft: Draft, _ template: Template?) -> Int? {
    guard let template else { return draft.payload?.bytes.count }
    return template.names.isEmpty ? (try? template.filled())?.payload?.bytes.count : nil
  }

  /// The sender's way to authenticate; nil if unknown. The emulator accepts either.
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
  /// An error that does not depend on a row's values.
  fileprivate var isWrongForAllRows: Bool { severity == .error && rule != "placeholder-unfilled" }
}

// Lists.
extension Checking {
  /// A list, to be read later, when the templates that its rows fill are known.
  func list(_ source: RecipientSource) -> CheckedFile {
    CheckedFile(file: source.name, kind: .list, unread: source)
  }

  /// Reads a list; returns any other file unchanged.
  func read(_ file: CheckedFile, filling fillings: [RowFilling]) -> CheckedFile {
    guard let source = file.unread else { return file }
    let rendering = RowFillings(fillings, force: options.force.isOn, excusing: Self.excused)
    let list = ListCheck(
      source, format: options.listFormat,
      selection: options.selection(without: suppression.tokens), rendering: rendering)
    let badLines = list.badLines.map { Problem($0, isShownWhole: options.showTokens.isOn) }
    let badRows = list.badRows.flatMap { row in
      row.problems.map { Problem($0, list: source.name, line: row.line) }
    }
    let error = list.error.map { [Problem(.list($0), in: $0.list)] } ?? []
    return CheckedFile(
      file: source.name, kind: .list,
      problems: badLines + badRows + error + oddTokens(list) + oddColumns(source, rendering),
      list: list)
  }

  /// Columns that look like variables which fall back to their defaults.
  private func oddColumns(_ source: RecipientSource, _ rendering: RowFillings?) -> [Problem] {
    let warnings = rendering.map { ColumnNotes($0, [source], options).warnings } ?? []
    return warnings.map { what, fix in
      Problem(
        .warning, rule: "column-name", at: .other("columns"), from: .file(source.name),
        message: what, fix: fix, isForceable: false)
    }
  }

  /// A single warning for a list with device tokens whose lengths are none of Apple's.
  private func oddTokens(_ list: ListCheck) -> [Problem] {
    let odd = list.tokenLengths.filter { !DeviceToken.usualLengths.contains($0.key) }
    let settings = try? options.merged(reading: [], context)
    guard !odd.isEmpty, let place = settings?.environment?.value.named, !place.hasOtherTokens
    else { return [] }
    let lengths = odd.keys.sorted().map(String.init)
    let shown = lengths.prefix(3) + (lengths.count > 3 ? ["…"] : [])
    return [
      Problem(
        .warning, rule: "token-length", at: .other("token"), from: .file(list.source.name),
        message: "\(counted(odd.values.reduce(0, +), "device token")) of "
          + "\(shown.joined(separator: ", ")) digits; \(DeviceToken.lengthRule).",
        fix: "Check that the device tokens were copied whole.", isForceable: false)
    ]
  }
}

/// The lists of `--suppress`, read completely, and their faults.
struct CheckedSuppression {
  /// The device tokens not to send to; nil if none were given, or a list could not be read.
  private(set) var tokens: SuppressedTokens?
  /// The lists with problems.
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
