package import APNS
package import CommandLineKit
package import JSONText

/// A row of ``Settings/fields``: everything about a property of ``Settings`` but its meaning.
///
/// A class, because rows are large and all of them are visited at launch.
package final class SettingField: Sendable {
  /// A group of related properties.
  package enum Part: CaseIterable { case what, headers, to, place, credentials, running, telling }

  /// The treatment of a value when a run is stored.
  package enum Keeping {
    /// It belongs to the run: the history stores it, and resuming the run repeats it.
    case repeated
    /// Stored if an option gave it. Variables and profiles are read again, because they may have
    /// changed, or hold a password.
    case repeatedIfOption
    /// It configures a single command, and is not stored.
    case ofTheInvocation
    /// It accepts a risk, which must be accepted anew each time, so it is not stored.
    case neverKept
  }

  /// The condition for a row in `config show`.
  package enum Display { case always, whenSaid, never }

  /// The name in files, in `config show` and in the history.
  package let name: String
  package let part: Part
  package let keeping: Keeping
  package let display: Display
  /// True if a worker takes it from a run in the queue. Destination, credentials and the files read
  /// or written are each worker's own: a database must not choose them.
  package let isForWorkers: Bool
  /// The long name of its option; nil if only files and variables give it.
  package let optionName: String?
  /// The key in profiles; nil if they cannot have it.
  let file: ProfileKey?
  /// The text for people; nil if there is no value, or it means none.
  package let text: @Sendable (Settings) -> String?
  /// Returns the value and its origin; nil if it was not given.
  package let setting: @Sendable (Settings) -> (value: any SettingValue, origin: Origin)?
  /// Takes the value from a lower layer if this one has none.
  package let fill: @Sendable (inout Settings, Settings) -> Void
  package let forget: @Sendable (inout Settings) -> Void
  /// Reads the stored JSON form, with its origin and a function that resolves stored paths to paths
  /// from the working folder; false for an invalid form.
  package let read: Reader

  private let makeOption: (@Sendable () -> Parameter<Settings>)?

  /// An option that is made only where options are parsed: every command visits every row.
  typealias LazyOption = (name: String, make: @Sendable () -> Parameter<Settings>)

  package typealias Reader = @Sendable (inout Settings, JSON, Origin, (String) -> String) -> Bool

  init(
    name: String, part: Part, keeping: Keeping = .repeated, display: Display = .whenSaid,
    isForWorkers: Bool = false, option: LazyOption? = nil, file: ProfileKey? = nil,
    text: (@Sendable (Settings) -> String?)? = nil,
    setting: @escaping @Sendable (Settings) -> (value: any SettingValue, origin: Origin)?,
    fill: @escaping @Sendable (inout Settings, Settings) -> Void,
    forget: @escaping @Sendable (inout Settings) -> Void, read: @escaping Reader
  ) {
    (self.name, self.part, self.keeping, self.display) = (name, part, keeping, display)
    (self.isForWorkers, self.file) = (isForWorkers, file)
    (optionName, makeOption) = (option?.name, option?.make)
    self.text = text ?? { setting($0)?.value.shown }
    (self.setting, self.fill, self.forget, self.read) = (setting, fill, forget, read)
  }

  /// The option on the command line.
  package var option: Parameter<Settings>? { makeOption?() }

  /// The history may store it.
  package var isKept: Bool { keeping == .repeated || keeping == .repeatedIfOption }
}

/// A property of ``Settings``, as two closures and not as a key path: all rows are visited at
/// launch, and the first use of a key path costs tens of thousands of instructions.
struct SettingPlace<Value: SettingValue>: Sendable {
  let get: @Sendable (Settings) -> Setting<Value>?
  let set: @Sendable (inout Settings, Setting<Value>?) -> Void

  /// Says a value with an option.
  func say(_ value: Value, _ option: String, in settings: inout Settings) {
    set(&settings, Setting(value, .setting("--" + option)))
  }

  /// The default as text.
  var defaultText: String? { self.get(Settings.builtIn)?.value.shown }
}

extension SettingField {
  typealias Read<Value: SettingValue> = @Sendable (Settings) -> Setting<Value>?
  typealias Write<Value: SettingValue> = @Sendable (inout Settings, Setting<Value>?) -> Void
  typealias Resolve<Value> = @Sendable (Value, (String) -> String) -> Value

  /// - Parameters:
  ///   - resolving: resolves the paths in a stored value to paths from the working folder.
  ///   - text: the text for people.
  ///   - option: its option; nil for none.
  ///   - file: its key in profiles; nil for none.
  convenience init<Value>(
    _ name: String, _ get: @escaping Read<Value>, _ set: @escaping Write<Value>, _ part: Part,
    _ keeping: Keeping = .repeated, shown display: Display = .whenSaid, forWorkers: Bool = false,
    as text: @escaping @Sendable (Value) -> String? = { $0.shown },
    resolving: @escaping Resolve<Value> = { value, _ in value },
    option: SettingOption<Value>? = nil, file: ProfileKey? = nil
  ) {
    let option = option.map { option in
      LazyOption(option.name, { option.parameter(SettingPlace(get: get, set: set)) })
    }
    self.init(
      name: name, part: part, keeping: keeping, display: display, isForWorkers: forWorkers,
      option: option, file: file,
      text: { get($0).flatMap { text($0.value) } },
      setting: { get($0).map { ($0.value, $0.origin) } },
      fill: { settings, lower in if get(settings) == nil { set(&settings, get(lower)) } },
      forget: { set(&$0, nil) },
      read: { settings, json, origin, path in
        guard let value = Value(json: json) else { return false }
        set(&settings, Setting(resolving(value, path), origin))
        return true
      })
  }

  /// Creates the row of an option that changes the payload.
  convenience init(changedBy option: PayloadOption) {
    let type = option.form.type
    self.init(
      name: option.key, part: .what, option: (option.name, { .change(option) }),
      setting: { settings in
        guard let said = settings[option], let value = type.init(json: said.value) else {
          return nil
        }
        return (value, said.origin)
      },
      fill: { settings, lower in
        if settings[option] == nil, let said = lower[option] { settings[option] = said }
      },
      forget: { $0[option] = nil },
      read: { settings, json, origin, _ in
        guard let value = type.init(json: json) else { return false }
        settings[option] = Setting(value.json, origin)
        return true
      })
  }
}

// Values that are merged by their names.
extension SettingField {
  static let variables = SettingField(
    name: "variables", part: .what, display: .never, option: ("var", { .variable }),
    setting: { settings in
      if settings.variables.isEmpty { return nil }
      let members = settings.variables.sorted { $0.key < $1.key }
        .map { JSONMember(key: $0.key, value: $0.value.value) }
      return (members.object, .storedRun)
    },
    fill: { settings, lower in settings.variables.merge(lower.variables) { own, _ in own } },
    forget: { $0.variables = [:] },
    read: { settings, json, origin, _ in
      guard let members = json.object?.members else { return false }
      for member in members {
        settings.variables[member.key] = Setting(member.value, origin)
      }
      return true
    })

  static let headers = SettingField(
    name: "headers", part: .headers, display: .never,
    setting: { settings in
      if settings.headers.isEmpty { return nil }
      let members = settings.headers.map { JSONMember(key: $0.name, value: $0.value.json) }
      return (members, .storedRun)
    },
    fill: { settings, lower in
      let names = Set(settings.headers.map(\.name))
      settings.headers = lower.headers.filter { !names.contains($0.name) } + settings.headers
    },
    forget: { $0.headers = [] },
    read: { settings, json, origin, _ in
      guard let members = [JSONMember](json: json) else { return false }
      let fields = members.compactMap { member in
        member.value.string.map { DraftField(member.key, $0, from: origin) }
      }
      settings.headers = fields
      return fields.count == members.count
    })
}
