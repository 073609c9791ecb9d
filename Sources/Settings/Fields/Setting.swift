package import APNS
internal import JSONText

/// A value, and where it was given.
///
/// It has no requirements of its own: looking them up for each property of ``Settings`` would cost a
/// start more than reading the command line does.
package struct Setting<Value> {
  package var value: Value
  private var boxed: BoxedOrigin

  package init(_ value: Value, _ origin: Origin) {
    self.value = value
    boxed = .at(origin)
  }

  /// The option, variable or place in a file; ``APNS/Origin/builtIn`` for a default.
  package var origin: Origin {
    get { boxed.origin }
    set { boxed = .at(newValue) }
  }
}

/// Outside of the setting, because some 60 of them make a ``Settings``, several of which are on the
/// stack at once: threads of macOS have 512 KiB.
private indirect enum BoxedOrigin: Sendable, Hashable {
  case at(Origin)

  var origin: Origin {
    switch self {
    case .at(let origin): origin
    }
  }
}

extension Setting: Sendable where Value: Sendable {}
extension Setting: Equatable where Value: Equatable {}
extension Setting: Hashable where Value: Hashable {}

extension Setting<Bool>? {
  /// Whether a switch is on. It is off by default.
  package var isOn: Bool { self?.value ?? false }

  /// Whether a switch was turned off. It is on by default.
  package var isOff: Bool { !(self?.value ?? true) }
}

extension Setting<JSONFields>? {
  /// Whether JSON is printed.
  package var isOn: Bool { self != nil }
}

extension Origin {
  /// A default of this program.
  package static let builtIn = Origin.file(nil)

  /// The settings that a history keeps of a run, unless others can write to it.
  package static let storedRun = Origin.setting("the run")

  /// Whether the command line says it.
  package var isOption: Bool { setting?.hasPrefix("--") ?? false }

  /// Whether a run says it that is taken up.
  package var isStored: Bool { self == .storedRun || sharedHistory != nil }

  /// Whether the command line says it, or said it when the run began that is taken up.
  package var isOptionOrStored: Bool { isOption || isStored }

  /// `fanfare.json:3:5`, or the option or variable; empty for a default.
  package var text: String {
    guard let file else { return setting ?? "" }
    let numbers = [position?.line, position?.column].compactMap { $0.map { ":\($0)" } }
    return file + numbers.joined()
  }
}
