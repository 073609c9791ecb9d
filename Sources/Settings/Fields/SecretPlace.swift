/// Where a key, a certificate or a password is kept.
public enum SecretPlace: Sendable, Hashable {
  /// A file.
  case file(String)
  /// An environment variable. A key or certificate may be in it or be named by its path; a password
  /// is in it.
  case variable(String)
  /// What a program prints, which is run without a shell: its path or name, then its arguments.
  /// There is at least the first.
  case command([String])

  /// The path, the variable's name, or `command NAME`. A program's arguments are not told.
  public var name: String {
    switch self {
    case .file(let path): path
    case .variable(let name): name
    case .command(let words): "command \(words.first ?? "")"
    }
  }
}
