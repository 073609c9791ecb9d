internal import APNS
internal import JSONText

/// A value that somebody gave, and where it was given.
struct Setting<Value: SettingValue>: Sendable, Hashable {
  var value: Value
  /// The option, variable or place in a file; ``APNS/Origin/builtIn`` for a default.
  var origin: Origin

  init(_ value: Value, _ origin: Origin) {
    self.value = value
    self.origin = origin
  }
}

extension Setting<Bool>? {
  /// Whether a switch is on; one that nobody touched is not.
  var isOn: Bool { self?.value ?? false }

  /// Whether a switch was turned off; one that nobody touched is on.
  var isOff: Bool { !(self?.value ?? true) }
}

extension Origin {
  /// Nobody gave it: it is a default of this program.
  static let builtIn = Origin.file(nil)

  /// The settings that the history keeps of a run.
  static let storedRun = Origin.setting("the run")

  /// Whether the command line says it.
  var isOption: Bool { setting?.hasPrefix("--") ?? false }

  /// Whether the command line says it, or said it when the run began that is taken up.
  var isOptionOrStored: Bool { isOption || self == .storedRun }

  /// `fanfare.json:3:5`, or the option or variable; empty for a default.
  var text: String {
    guard let file else { return setting ?? "" }
    let numbers = [position?.line, position?.column].compactMap { $0.map { ":\($0)" } }
    return file + numbers.joined()
  }
}
