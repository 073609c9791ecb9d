/// Where a key, a certificate or a password is kept.
public enum SecretPlace: Sendable, Hashable {
  /// A file.
  case file(String)
  /// An environment variable. A key or certificate may be in it or be named by its path; a password
  /// is in it.
  case variable(String)

  /// The path or the variable's name.
  public var name: String {
    switch self {
    case .file(let path): path
    case .variable(let name): name
    }
  }
}
