internal import PushCore

extension CredentialsSetting {
  /// The file or variable that should hold the key or certificate, when it is not on this machine;
  /// nil when it is, or when nobody can tell without looking into it.
  func missingPlace(in context: Context) -> SecretPlace? {
    let place: SecretPlace? =
      switch self {
      case .key(let key): key.key
      case .certificate(let certificate): certificate.certificate
      case .profile: nil
      }
    return place.flatMap { $0.isMissing(in: context) ? $0 : nil }
  }
}

extension SecretPlace {
  fileprivate func isMissing(in context: Context) -> Bool {
    switch self {
    case .file(let path): !fileExists(path)
    // Nobody knows before it is run.
    case .command: false
    case .variable(let name): (context.environment[name] ?? "").isEmpty
    }
  }
}
