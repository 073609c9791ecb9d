internal import APNS
internal import Credentials
internal import JSONText
internal import POSIX
internal import PlainText
internal import Reporting
internal import Settings

/// The files of a new project.
struct NewProject {
  /// The file names; the one that refers to the others comes last.
  static let names = [
    "payloads/hello.json", "scenarios/hello.json5", schema, Configuration.name,
  ]

  /// Those of the names that are only examples: files that are there serve as well.
  private static let examples = names.prefix(2)

  /// The JSON Schema of `fanfare.json`, for editors.
  private static let schema = "fanfare.schema.json"

  /// The destination; it need not exist.
  let folder: String

  private func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }

  /// The path of `fanfare.json`.
  var file: String { path(Configuration.name) }

  var isThere: Bool { fileExists(file) }

  /// True if `fanfare.json` is what these answers would make.
  func holds(_ answers: ProjectAnswers) -> Bool { holds(file, profiles(answers).text) }

  func profiles(_ answers: ProjectAnswers, name: String? = nil) -> ProfilesText {
    ProfilesText(answers: answers, path: answers.credentials.map(pathFromHere), name: name)
  }

  /// Writes all files or none. Existing files with the same contents are kept, and examples as they
  /// are.
  ///
  /// - Returns: the paths of the files that were written, and of those that were kept.
  /// - Throws: `Failure` if nothing was written.
  func write(_ answers: ProjectAnswers) throws(Failure) -> (written: [String], kept: [String]) {
    let schema = String(decoding: ProfileShape.schema, as: UTF8.self)
    let texts = [
      ProjectTexts.payload, ProjectTexts.scenario, schema, profiles(answers).text,
    ]
    let files = zip(Self.names.map(path), texts).map { (path: $0.0, text: $0.1) }
    let own = files.dropFirst(Self.examples.count)
    let others = own.filter { fileExists($0.path) && !holds($0.path, $0.text) }
    if !others.isEmpty { throw .filesAreThere(others.map(\.path), ofProject: isThere) }
    let new = files.filter { !fileExists($0.path) }
    let kept = files.map(\.path).filter(fileExists)
    try attempt(try writeTogether(new, for: "project")) { .file($0) }
    return (new.map(\.path), kept)
  }

  /// A path for `fanfare.json`: its paths are relative to its folder.
  private func pathFromHere(_ path: String) -> String {
    path.hasPrefix("/") || folder == "." ? path : "\(ProcessFacts.workingFolder)/\(path)"
  }

  private func holds(_ path: String, _ text: String) -> Bool {
    (try? readFile(path, for: "project")) == Array(text.utf8)
  }
}

extension Failure {
  fileprivate static func filesAreThere(_ paths: [String], ofProject: Bool) -> Failure {
    Failure(
      "\(paths.map(\.printable).joined(separator: ", ")): already exists; nothing was written.",
      fix: ofProject
        ? "The project is set up already: edit its files ('fanfare config show' shows the settings), "
          + "add a profile with --bundle-id, or name another folder."
        : "Name another folder, or move the existing files out of the way.")
  }
}

/// The contents of a new project's files, apart from its profiles.
private enum ProjectTexts {
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
      recipients: ["\(exampleToken)"],
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
  /// The path of the key or certificate, relative to the file; nil for none.
  let path: String?
  /// The profile's name; nil for that of its environment.
  let name: String?

  var text: String {
    """
    // Profiles: settings that apply unless an option, a scenario or a variable overrides them.
    // 'fanfare config show' shows each setting and where it comes from. Put a key's path here,
    // never a key. Other settings: ca, port, proxy, connections, rate, timeout, retries,
    // retryDelay, history, variables.
    {
      "$schema": "fanfare.schema.json",
      "default": \(quoted(answers.environment.shown)),
      "profiles": {
        // The built-in local APNs: no Apple account needed.
    \(profile(in: PushEnvironment.emulator.name, ""))
    \(other)
      },
    }

    """
  }

  /// The profile asked for, on its own.
  var member: String {
    answers.isEmulator && path == nil
      ? profile(in: PushEnvironment.emulator.name, "") : profile(credentials)
  }

  /// The profile for Apple's services: the one asked for, or a template to complete.
  private var other: String {
    guard answers.isEmulator, path == nil else { return profile(credentials) }
    return "    // Development builds. Uncomment this when you have a key.\n"
      + commented(profile(example), behind: 4)
  }

  private func profile(_ credentials: String) -> String {
    profile(
      in: answers.isEmulator ? PushEnvironment.sandbox.name : answers.environment.shown,
      "\n" + credentials)
  }

  private func profile(in environment: String, _ credentials: String) -> String {
    """
        \(quoted(name ?? environment)): {
          "bundleID": \(quoted(answers.bundleID)),
          "environment": \(quoted(environment)),\(credentials)
        },
    """
  }

  private var credentials: String {
    if let path, answers.certificate != nil {
      return """
              // With a password: "passwordFile", or the variable FANFARE_CERT_PASSWORD.
              "credentials": { "cert": \(quoted(path)) },
        """
    }
    guard let path, let keyID = answers.keyID, let teamID = answers.teamID else {
      return commented(example, behind: 6)
    }
    return """
            "credentials": {
              "key": \(quoted(path)),
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

  /// The text commented out, keeping its indentation.
  private func commented(_ text: String, behind indent: Int) -> String {
    text.split(separator: "\n").map { line in
      String(repeating: " ", count: indent) + "// " + line.dropFirst(indent)
    }.joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String { JSON(.string(text)).encodedString(.compact) }
}
