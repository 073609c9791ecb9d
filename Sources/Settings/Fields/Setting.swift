package import APNS
internal import JSONText
internal import Reporting

/// A value with its origin.
///
/// It conforms to no protocols: looking up conformances for each property of ``Settings`` would
/// cost more at launch than parsing the command line does.
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

/// Boxed, because a ``Settings`` holds some 60 settings, and several are on the stack at once:
/// secondary threads on macOS have 512 KiB.
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
  /// A switch that is off by default was turned on.
  package var isOn: Bool { self?.value ?? false }

  /// A switch that is on by default was turned off.
  package var isOff: Bool { !(self?.value ?? true) }
}

extension Setting<JSONFields>? {
  /// JSON is printed.
  package var isOn: Bool { self != nil }
}

extension Origin {
  /// A default of the program.
  package static let builtIn = Origin.file(nil)

  /// The settings of a run in a history that only the user can write to.
  package static let storedRun = Origin.setting("the run")

  /// The value is from an option on the command line.
  package var isOption: Bool { setting?.hasPrefix("--") ?? false }

  /// The value is from the stored settings of a run.
  package var isStored: Bool { self == .storedRun || sharedHistory != nil }

  /// The value is from an option on the command line, now or when the stored run began.
  package var isOptionOrStored: Bool { isOption || isStored }

  /// `fanfare.json:3:5`, or the option or variable; empty for a default.
  package var text: String {
    guard let file else { return setting ?? "" }
    let numbers = [position?.line, position?.column].compactMap { $0.map { ":\($0)" } }
    return file + numbers.joined()
  }
}

/// The location of a key, a certificate or a password.
public enum SecretLocation: Sendable, Hashable {
  /// A file.
  case file(String)
  /// An environment variable: the key or certificate itself or its path; a password is always in
  /// the variable itself.
  case variable(String)
  /// The output of a program that is run without a shell: its path or name, which is always there,
  /// then its arguments.
  case command([String])

  /// The path, the variable's name, or `command NAME`. A program's arguments are left out.
  public var name: String {
    switch self {
    case .file(let path): path
    case .variable(let name): name
    case .command(let words): "command \(words.first ?? "")"
    }
  }
}
