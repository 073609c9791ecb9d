internal import APNS
internal import Credentials
internal import JSONText

/// `fanfare.json` of a new project.
struct ProfilesText {
  let answers: ProjectAnswers
  /// The key's path, as it is from the file; nil for none.
  let keyPath: String?

  /// The file, with a line feed at the end.
  var text: String {
    """
    // Profiles: settings that apply unless an option, a scenario or a variable overrides them.
    // 'fanfare config show' shows each setting and where it comes from. Put a key's path here,
    // never a key. Other settings: ca, port, proxy, connections, rate, timeout, retries,
    // retryDelay, history, variables.
    {
      "default": \(quoted(answers.environment.rawValue)),
      "profiles": {
        // The built-in local APNs: no Apple account needed.
        "emulator": {
          "bundleID": \(quoted(answers.bundleID)),
          "environment": "emulator",
        },
    \(other)
      },
    }

    """
  }

  /// The profile for Apple's services: the one that was asked for, or one to complete.
  private var other: String {
    guard answers.environment == .emulator, keyPath == nil else { return profile(credentials) }
    return "    // Development builds. Uncomment this when you have a key.\n"
      + commented(profile(example), behind: 4)
  }

  private func profile(_ credentials: String) -> String {
    let name = answers.environment == .emulator ? EnvironmentName.sandbox : answers.environment
    return """
          \(quoted(name.rawValue)): {
            "bundleID": \(quoted(answers.bundleID)),
            "environment": \(quoted(name.rawValue)),
      \(credentials)
          },
      """
  }

  private var credentials: String {
    guard let keyPath, let keyID = answers.keyID, let teamID = answers.teamID else {
      return commented(example, behind: 6)
    }
    return """
            "credentials": {
              "key": \(quoted(keyPath)),
              "keyID": \(quoted(keyID.text)),
              "teamID": \(quoted(teamID.text)),
            },
      """
  }

  private let example = """
          "credentials": {
            "key": "AuthKey_ABC123DEFG.p8",
            "keyID": "ABC123DEFG",
            "teamID": "DEF123GHIJ",
          },
    """

  /// Commented-out lines, behind so many spaces.
  private func commented(_ text: String, behind indent: Int) -> String {
    text.split(separator: "\n").map { line in
      String(repeating: " ", count: indent) + "// " + line.dropFirst(indent)
    }.joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String { JSON(.string(text)).encodedString(.compact) }
}
