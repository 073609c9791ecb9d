internal import APNS
internal import History
internal import PlainText
internal import PushModel
internal import Reporting
internal import Settings

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
