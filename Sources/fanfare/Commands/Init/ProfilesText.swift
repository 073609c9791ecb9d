internal import APNS
internal import Credentials
internal import JSONText

/// `fanfare.json` as a project begins with it.
struct ProfilesText {
  let answers: ProjectAnswers
  /// The key's path, as it is from the file; nil for none.
  let keyPath: String?

  /// The file, with a line feed at the end.
  var text: String {
    """
    // Profiles: what holds where neither an option, a scenario nor a variable says it.
    // 'fanfare config show' tells what holds and why. A key's path may stand here, never a key.
    // Further keys: ca, port, proxy, connections, rate, timeout, retries, retryDelay, history,
    // variables.
    {
      "default": \(quoted(answers.environment.rawValue)),
      "profiles": {
        // The local APNs, inside the command: no Apple account is needed.
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
    return "    // Development builds. Take these marks away when there is a key.\n"
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

  /// Lines that do not count, marked behind so many spaces.
  private func commented(_ text: String, behind indent: Int) -> String {
    text.split(separator: "\n").map { line in
      String(repeating: " ", count: indent) + "// " + line.dropFirst(indent)
    }.joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String { JSON(.string(text)).encodedString(.compact) }
}
