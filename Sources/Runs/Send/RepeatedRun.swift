internal import APNS
internal import History
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import SQLHistory
internal import Settings

/// A run of `fanfare send`, or a push of it, to repeat.
struct RepeatedRun {
  let entry: RunEntry
  let inputs: RunInputs
  /// The only push to repeat; nil for the whole run.
  let push: PushEntry?
  private let origin: Origin

  var record: RunRecord { entry.record }

  /// - Parameter place: the run or push; the last is the newest run of `fanfare send`.
  /// - Throws: `Failure` when there is none, or it cannot be repeated.
  init(at place: HistoryReference, in history: HistoryReader) throws(Failure) {
    switch place {
    case .push(let id):
      let push = try history.storedPush(id)
      self.push = push
      entry = try history.storedRun(push.run).entry
    case .run(let number): (push, entry) = (nil, try history.storedRun(number).entry)
    case .last: (push, entry) = (nil, try history.newestSend())
    }
    if entry.record.kind != .send { throw .otherKind(entry) }
    origin = .run(entry.run, in: history.path)
    guard let inputs = RunInputs(json: entry.record.settings, from: origin) else {
      throw .damagedRun
    }
    self.inputs = inputs
  }

  /// The run's settings, to be merged below those of the command line. Other recipients replace all
  /// of its own, whichever options gave them.
  func layer(below options: Settings) -> Settings {
    var layer = inputs.settings.below(options)
    let hasOthers = !options.recipientSources.isEmpty
    if hasOthers || push != nil { (layer.to, layer.tokens, layer.shard) = (nil, nil, nil) }
    // Columns belong to the lists of the run.
    if options.tokens != nil { layer.columns = nil }
    let devices = (options.to?.value ?? []).compactMap(\.device)
    if devices.contains(where: { $0.environment != nil }) {
      (layer.environment, layer.server, layer.serverCA) = (nil, nil, nil)
    }
    if devices.contains(where: { $0.bundleID != nil }) { layer.bundleID = nil }
    if let push, !hasOthers {
      layer.to = (try? DeviceToken(tidying: push.token)).map { Setting([.token($0)], .storedRun) }
      (layer.suppress, layer.limit) = (nil, nil)
    }
    return layer
  }

  // MARK: Refusals

  /// Refuses to repeat a run with files that cannot be read again.
  ///
  /// - Parameter said: the command line's settings merged with the run's.
  func refuseGone(_ said: Settings) throws(Failure) {
    for (option, path) in Self.files(of: said) {
      if path == "-" { throw .inputGone(entry.run, option: option) }
      let isReadOnce = RecipientSource.file(path).isReadOnce || wasReadOnce(path)
      if isReadOnce || !fileExists(path) {
        throw .fileGone(path, of: entry.run, option: option, isPipe: isReadOnce)
      }
    }
  }

  /// Asks for consent to read files that others may have named.
  ///
  /// - Parameters:
  ///   - said: the command line's settings merged with the run's.
  ///   - settings: all layers, merged.
  /// - Throws: `Failure` without consent.
  func requireTrust(_ said: Settings, _ settings: Settings, _ context: Context) throws(Failure) {
    let files = Self.files(of: said).map(\.path)
    try ProjectTrust(settings, reading: files, of: origin, context).require()
  }

  /// The files named by a run's settings, each with its option.
  private static func files(of said: Settings) -> [(option: String, path: String)] {
    func stored(_ option: String, _ paths: Setting<[String]>?) -> [(String, String)] {
      paths?.origin.isStored ?? false ? (paths?.value ?? []).map { (option, $0) } : []
    }
    return stored("--payload", said.payload.map { Setting([$0.value], $0.origin) })
      + stored("--tokens", said.tokens) + stored("--suppress", said.suppress)
  }

  /// True if a list was a pipe; its path now leads to something else.
  private func wasReadOnce(_ path: String) -> Bool {
    lists.contains { $0.fingerprint == nil && inputs.fromHere($0.path) == path }
  }

  /// Refuses to repeat a push whose payload needs values from its row, unless the command line
  /// gives them all, because a device token alone cannot fill it.
  func refuseRow(_ message: Message, _ options: Settings) throws(Failure) {
    guard let push, options.recipientSources.isEmpty, let names = message.rendering?.names,
      names.contains(where: { options.variables[$0] == nil })
    else { return }
    throw .rowNeeded(push)
  }

  // MARK: Changes

  /// The lists of the run.
  private var lists: [RunInputs.List] {
    inputs.suppressed
      + inputs.recipients.compactMap { if case .list(let list) = $0 { list } else { nil } }
  }

  /// The files to read again that have changed.
  func changedFiles(_ said: Settings, _ context: Context) -> [String] {
    let paths = Set(Self.files(of: said).map(\.path))
    let changed = lists.filter { list in
      let path = inputs.fromHere(list.path)
      guard paths.contains(path), let known = list.fingerprint else { return false }
      return (try? ListFingerprint(path: path))?.change(since: known) != nil
    }
    return [changedPayload(said, context)].compactMap(\.self) + changed.map(\.path)
  }

  /// The names of the run's devices whose device tokens have changed.
  func changedDevices(_ said: Settings) -> [String] {
    guard push == nil, let to = said.to, to.origin.isStored else { return [] }
    let now = to.value.compactMap(\.token)
    let kept = (inputs.settings.to?.value ?? []).compactMap(\.device)
    return kept.filter { !now.contains($0.token) }.map(\.name)
  }

  /// The payload's file, if it was saved since and yields another payload now.
  private func changedPayload(_ said: Settings, _ context: Context) -> String? {
    guard let payload = said.payload, payload.origin.isStored,
      let change = changeTime(of: payload.value), change > record.started
    else { return nil }
    var assembly = DraftAssembly(inputs.settings, context)
    assembly.isToBeSent = false
    let rules = RuleContext(now: record.started / 1000)
    guard let draft = try? assembly.draft(),
      let message = try? Message(draft, variables: assembly.variables, in: rules, force: true)
    else { return payload.value }
    var rebuilt = record
    message.write(to: &rebuilt)
    return rebuilt.payload == record.payload ? nil : payload.value
  }
}

extension HistoryReader {
  /// The newest run of `fanfare send`.
  fileprivate func newestSend() throws(Failure) -> RunEntry {
    var (filter, newest) = (HistoryFilter(), RunEntry?.none)
    filter.kind = .send
    try forEachStoredRun(filter) { run in
      newest = run
      return false
    }
    guard let newest else { throw .nothingToRepeat }
    return newest
  }
}

// Failures to repeat a run. Nothing was sent.
extension Failure {
  fileprivate static var nothingToRepeat: Failure {
    Failure(
      "The history has no run of 'fanfare send' to repeat.",
      fix: "'fanfare history list' lists the runs; use --history for another history.")
  }

  /// The run was not made by `fanfare send`.
  fileprivate static func otherKind(_ entry: RunEntry) -> Failure {
    let (run, record) = (entry.run, entry.record)
    if let resent = record.resends {
      return Failure(
        "Run \(run) is a resend of pushes of run \(resent).",
        fix: "'fanfare send --again=\(resent)' repeats that run, 'fanfare history resend \(run)' "
          + "sends what was not accepted.")
    }
    let step = record.step.map { "step \($0) of the scenario" } ?? "the scenario"
    let name = record.scenario.map { " '\($0.printable)'" } ?? ""
    return Failure(
      "Run \(run) is \(step)\(name), not a run of 'fanfare send'.",
      fix: "Run the scenario's file again: 'fanfare run FILE"
        + (record.step.map { " --from \($0)'." } ?? "'."))
  }

  /// Standard input is not stored.
  fileprivate static func inputGone(_ run: RunNumber, option: String) -> Failure {
    Failure(
      "Run \(run) read \(option) from standard input, which cannot be read again.",
      fix: "Give \(option) FILE, or \(option) - with the same input"
        + (option == "--tokens" ? ", or --to TOKEN." : "."))
  }

  fileprivate static func fileGone(
    _ path: String, of run: RunNumber, option: String, isPipe: Bool
  ) -> Failure {
    Failure(
      "\(path.printable), which run \(run) read with \(option), "
        + (isPipe ? "is not a file and cannot be read again." : "is gone."),
      fix: "Give \(option) FILE" + (option == "--tokens" ? " or --to TOKEN." : "."))
  }

  /// The payload of a push was made from a row.
  fileprivate static func rowNeeded(_ push: PushEntry) -> Failure {
    Failure(
      "Line \(push.line) of \(push.list.printable) filled the payload of push \(push.apnsID): its "
        + "device token alone does not.",
      fix: "'fanfare history resend \(push.apnsID)' sends it as it was. Or give each value with "
        + "--var NAME=VALUE.")
  }
}

/// A description of what is repeated and what has changed, for people.
struct RepeatedRunText {
  private let repeated: RepeatedRun
  private let options: Settings
  private let said: Settings
  private let settings: Settings

  /// - Parameters:
  ///   - options: the options on the command line.
  ///   - said: these merged with the run's settings.
  ///   - settings: all layers, merged.
  init(_ repeated: RepeatedRun, options: Settings, said: Settings, _ settings: Settings) {
    (self.repeated, self.options) = (repeated, options)
    (self.said, self.settings) = (said, settings)
  }

  /// One line, and another if files or devices have changed.
  func lines(_ context: Context) -> [String] {
    let changes = repeated.changedFiles(said, context) + repeated.changedDevices(said)
    let changed = changes.map(\.printable)
    let verb = changed.count == 1 ? "has" : "have"
    let note = "\(changed.joined(separator: ", ")) \(verb) changed since run \(repeated.entry.run)."
    return [what] + (changed.isEmpty ? [] : [note])
  }

  private var what: String {
    let record = repeated.record
    let began = ISO8601.text(seconds: record.started / 1000)
    let facts = [record.pushType, record.topic, place, recipients].compactMap { $0?.printable }
    let push = repeated.push.map { "push \($0.apnsID) of " } ?? ""
    return "Repeats \(push)run \(repeated.entry.run) of \(began): "
      + facts.joined(separator: ", ") + (news.map { "; new: \($0)" } ?? "") + "."
  }

  private var place: String? { settings.environment?.value.shown }

  /// The recipients: the lists, and the number of single device tokens.
  private var recipients: String? {
    let tokens = settings.to?.value ?? []
    let single =
      tokens.count == 1 && !settings.showTokens.isOn
      ? tokens[0].shown : tokens.isEmpty ? nil : counted(tokens.count, "device token")
    let channel = settings.channel.map { "channel \($0.value)" }
    let all = [single, channel].compactMap(\.self) + (settings.tokens?.value ?? [])
    return all.isEmpty ? nil : "to " + all.joined(separator: ", ")
  }

  /// The options that replace the run's, without duplicates.
  private var news: String? {
    let fields = Settings.fields.filter { $0.keeping != .ofTheInvocation && $0.name != "yes" }
      .compactMap { $0.setting(options)?.origin }
    let others = options.headers.compactMap(\.origin) + options.variables.values.map(\.origin)
    var names: [String] = []
    for name in (fields + others).filter(\.isOption).map(\.text) where !names.contains(name) {
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
