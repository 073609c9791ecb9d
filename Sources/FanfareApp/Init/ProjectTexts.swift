internal import APNS
internal import Credentials
internal import JSONText
internal import Projects

/// The contents of a new project's files, apart from its profiles.
enum ProjectTexts {
  /// `payloads/hello.json`
  static let payload = """
    {
      "aps": {
        "alert": {"title": "Hello, {{name|default('you')}}!", "body": "Your first push."},
        "sound": "default"
      }
    }

    """

  /// `scenarios/hello.json5`
  static let scenario = """
    // What to send, to whom, and the expected answer. Run it: fanfare run scenarios/hello.json5
    // Bundle ID, environment and key come from the profile in ../fanfare.json.
    {
      name: "Hello",
      // Device tokens, or files of them such as "../tokens.csv". This token is made up, which is
      // fine for the emulator. --to TOKEN sends to another.
      recipients: ["0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"],
      // Values of the placeholders in the payload.
      variables: { name: "Ada" },
      notification: {
        type: "alert",
        // APNs keeps it for an hour if the device is off.
        expiration: "1h",
        payload: "../payloads/hello.json",
      },
      expect: { status: 200 },
    }

    """
}

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
      "default": \(quoted(answers.environment.shown)),
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
    guard answers.isEmulator, keyPath == nil else { return profile(credentials) }
    return "    // Development builds. Uncomment this when you have a key.\n"
      + commented(profile(example), behind: 4)
  }

  private func profile(_ credentials: String) -> String {
    let name = quoted(answers.isEmulator ? PushEnvironment.sandbox.name : answers.environment.shown)
    return """
          \(name): {
            "bundleID": \(quoted(answers.bundleID)),
            "environment": \(name),
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
