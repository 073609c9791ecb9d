internal import APNS
internal import PushModel
internal import Recipients
internal import Reporting
internal import Sending
internal import Settings
internal import Synchronization

// Lists.
extension Checking {
  /// A list, to be read later, when the templates that its rows fill are known.
  func list(_ source: RecipientSource) -> CheckedFile {
    CheckedFile(file: source.name, kind: .list, unread: source)
  }

  /// Reads a list; returns any other file unchanged.
  func read(_ file: CheckedFile, filling fillings: [RowFilling]) -> CheckedFile {
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

  /// A single warning for a list with device tokens too short to be Apple's.
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
