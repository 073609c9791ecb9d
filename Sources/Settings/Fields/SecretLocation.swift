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
