internal import Credentials
internal import PlainText
internal import Projects

extension Failure {
  /// A profile is named that cannot be used. `origin` names it, `files` were read.
  static func profile(_ error: ProfileError, origin: String, files: [String]) -> Failure {
    let (what, fix) = error.clauses(files)
    return Failure("\(origin.printable): \(what)", fix: fix, cause: error, rule: "profile")
  }

  /// The user's own file of profiles is not read.
  static func ownConfiguration(path: String, _ error: SecretFileError) -> Failure {
    Failure(
      error.sentence(path, "configuration"), fix: error.fix(path, "configuration"), cause: error)
  }
}

extension ProfileError {
  /// What is wrong with the profile that something names, and what to do.
  ///
  /// - Parameter files: the files that were read.
  func clauses(_ files: [String]) -> (what: String, fix: String) {
    switch self {
    case .unknown(let name, let near, let names):
      ("There is no profile '\(name.printable)'.", Self.fix(near, names, files))
    case .noCredentials(let profile):
      (
        "The profile '\(profile.printable)' has no credentials.",
        "Add 'credentials' to it, or name another."
      )
    case .loop(let names) where Set(names).count == 1:
      (
        "This uses the credentials of your own profile of the same name.",
        "There is none: add it to your own file, ~/.config/fanfare/config.json."
      )
    case .loop(let names):
      (
        "Each of these profiles uses the credentials of the next: "
          + names.map(\.printable).joined(separator: ", ") + ".",
        "Write the credentials into one of them."
      )
    }
  }

  private static func fix(_ near: [String], _ names: [String], _ files: [String]) -> String {
    if files.isEmpty {
      return "There is no fanfare.json in this folder or above, and no file of your own. "
        + "'fanfare init' writes one."
    }
    let places = files.map(\.printable).joined(separator: " and ")
    if !near.isEmpty {
      return "Did you mean \(near.map { "'\($0.printable)'" }.joined(separator: " or "))? "
        + "Profiles are read from \(places)."
    }
    let all = names.isEmpty ? "none" : names.map(\.printable).joined(separator: ", ")
    return "Profiles in \(places): \(all)."
  }
}
