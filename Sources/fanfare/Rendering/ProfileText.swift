internal import PlainText
internal import Projects

extension ProfileError {
  /// What is wrong with the profile that something names, and what to do.
  ///
  /// - Parameter files: the files that were looked at.
  func sentences(_ origin: String, _ files: [String]) -> (what: String, fix: String) {
    let (what, fix) = clauses(files)
    return ("\(origin.printable): \(what)", fix)
  }

  /// The same without where it is named.
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
        "This asks for the credentials of your own profile of the same name.",
        "You have none: write it into your own file, ~/.config/fanfare/config.json."
      )
    case .loop(let names):
      (
        "Each of these profiles takes the credentials of the next: "
          + names.map(\.printable).joined(separator: ", ") + ".",
        "Write the credentials into one of them."
      )
    }
  }

  private static func fix(_ near: [String], _ names: [String], _ files: [String]) -> String {
    if files.isEmpty {
      return "There is no fanfare.json here or in a folder above, and no file of your own. "
        + "'fanfare init' writes one."
    }
    let places = files.map(\.printable).joined(separator: " and ")
    if !near.isEmpty {
      return "Did you mean \(near.map { "'\($0.printable)'" }.joined(separator: " or "))? "
        + "Looked into \(places)."
    }
    let all = names.isEmpty ? "none" : names.map(\.printable).joined(separator: ", ")
    return "Looked into \(places); there is: \(all)."
  }
}

extension SecretCommandFault {
  /// Why a program printed no secret, and what to do.
  func sentences(_ program: String, _ purpose: String) -> (what: String, fix: String) {
    let subject = "The command \(program.printable) for the \(purpose)"
    return switch self {
    case .missing:
      ("\(subject) is not there.", "Write its path, or install it where PATH finds it.")
    case .system(let code):
      ("\(subject) cannot be run: \(systemMessage(code)).", "Check the program.")
    case .status(let status):
      (
        "\(subject) ended with status \(status).",
        "What it wrote to standard error stands above; run it by hand to see more."
      )
    case .empty: ("\(subject) printed nothing.", "Run it by hand: it has to print the \(purpose).")
    case .tooLong(let limit):
      (
        "\(subject) printed more than \(grouped(limit)) bytes.",
        "Have it print the \(purpose) alone."
      )
    case .late(let seconds):
      ("\(subject) did not end within \(counted(seconds, "second")).", "Run it by hand first.")
    }
  }
}
