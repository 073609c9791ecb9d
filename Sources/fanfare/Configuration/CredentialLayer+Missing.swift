internal import Projects

extension CredentialLayer {
  /// The file or variable that should hold the key or certificate, when a file names it and it is
  /// not on this machine; nil when it is, when nobody can tell without looking into it, and when an
  /// option or one of fanfare's own variables names it.
  func missingPlace(in context: Context) -> SecretPlace? {
    let place: SecretPlace? =
      switch self {
      case .key(let layer): layer.source == nil ? nil : layer.place
      case .certificate(let layer): layer.source == nil ? nil : layer.place
      }
    return place.flatMap { $0.isMissing(in: context) ? $0 : nil }
  }
}

extension SecretPlace {
  fileprivate func isMissing(in context: Context) -> Bool {
    switch self {
    case .file(let path): !fileExists(path)
    case .variable(let name): (context.environment[name] ?? "").isEmpty
    case .command(let words): !SecretCommand.isThere(words, context.environment)
    }
  }
}
