import SendingSupport
import TestSupport

/// What some examples need or do beyond the others, found by words of their last command and of
/// what it prints.
struct ExampleStaging: Sendable {
  /// What is special.
  enum Feature: Sendable {
    /// It is not run, for this reason.
    case isLeftOut(because: String)
    /// It finds these files, in place of all others in their first folder.
    case finds([String: String])
    /// It finds the history changed by SQL.
    case findsHistory(String)
    /// It ends with this exit code, which the text around it tells.
    case ends(Int32)
    /// It runs until somebody stops it, which is done after its first line. With a command: while
    /// that is run again and again.
    case runsOn(while: String?)
  }

  let words: String
  let feature: Feature

  init(_ words: String, _ feature: Feature) {
    self.words = words
    self.feature = feature
  }

  /// Whether an example is meant. A line feed in the words is the end of the command.
  func fits(_ example: ShellExample) -> Bool {
    guard let last = example.commands.last else { return false }
    return (last.text + "\n" + last.output.joined(separator: "\n")).contains(words)
  }

  /// What is special about an example.
  static func features(of example: ShellExample) -> [Feature] {
    all.filter { $0.fits(example) }.map(\.feature)
  }

  /// Every exception, in documents and in help.
  static let all = [
    Self("Scripts/bare-machine", .isLeftOut(because: "It needs root; see BareMachineTests.")),
    Self("install.sh | sh", .isLeftOut(because: "It installs a release; see InstallerTests.")),
    Self("Scripts/try-packages", .isLeftOut(because: "It needs root, and bare systems.")),
    Self("make test", .isLeftOut(because: "It is running; for make demo see ShippedFilesTests.")),
    Self("make release", .isLeftOut(because: "It builds the release binary; see ReleaseTests.")),
    Self("cp -R fanfare-", .isLeftOut(because: "It unpacks a release; see ReleaseTests.")),
    Self("apt-get install", .isLeftOut(because: "It installs a .deb; see DebianPackageTests.")),
    Self("brew install", .isLeftOut(because: "It needs Homebrew; see FormulaTests.")),
    Self("podman load", .isLeftOut(because: "It needs a container engine; see ImageTests.")),
    Self("docker run", .isLeftOut(because: "It needs a container engine; see DockerfileTests.")),
    Self(
      "postgresql://",
      .isLeftOut(because: "It needs a PostgreSQL server; see PostgreSQLHistoryTests.")
    ),
    Self(
      "--enqueue", .isLeftOut(because: "It needs a PostgreSQL server; see EnqueueTests.")),
    Self(
      "fanfare work ", .isLeftOut(because: "It needs a PostgreSQL server; see WorkCommandTests.")),
    Self(
      "fanfare stop 12", .isLeftOut(because: "It needs a PostgreSQL server; see WorkCommandTests.")),
    Self(
      "fanfare check payloads lists",
      .finds([
        "payloads/order.json": brokenPayload,
        "payloads/background/sync.json": #"{"aps": {"content-available": 1, "sound": "default"}}"#,
        "lists/beta.txt": tokenText(1) + "\n" + tokenText(1) + "\nnot-a-token\n",
      ])),
    Self(
      "vip.csv",
      .finds([
        "order.json": """
        {"aps": {"alert": "Hi {{name|default('friend')}}", "badge": "{{unread|number}}"}}

        """
      ])),
    Self("fanfare init\n", .finds(nothingOfNote)),
    Self("fanfare init --bundle-id com.example.orders", .finds(["fanfare.json": profiles])),
    Self("fanfare send --again --set aps.badge:=3\n", .finds(nothingOfNote)),
    Self("fanfare run scenarios\n", .finds(nothingOfNote)),
    Self("fanfare config show", .finds(["fanfare.json": profiles])),
    Self("fanfare resume", .findsHistory(nothingRefused)),
    Self("which has passed.", .findsHistory("UPDATE runs SET expiration = 1772366400")),
    Self("fanfare history diff", .ends(1)),
    Self("fanfare history tail\n", .runsOn(while: nil)),
    Self("fanfare history tail --lines 0", .runsOn(while: pushes)),
    Self("fanfare history tail --outcome rejected", .runsOn(while: nil)),
    Self("fanfare emulator --", .runsOn(while: nil)),
    Self("fanfare studio", .runsOn(while: nil)),
    Self(" --watch\n", .runsOn(while: nil)),
  ]

  /// A place where nobody has begun.
  private static let nothingOfNote = ["scenarios/notes.txt": "", "payloads/notes.txt": ""]

  private static let profiles = """
    {
      default: "staging",
      profiles: {
        staging: {
          bundleID: "com.example.shop",
          environment: "production",
        },
      },
    }

    """

  private static let brokenPayload = """
    {
      "aps": {
        "alert": "Ready",
        "badge": "3",
        "interuption-level": "active"
      }
    }

    """

  /// Run 12 has only to come to its end.
  private static let nothingRefused = """
    UPDATE results SET outcome = 0, status = 200, reason = NULL WHERE id >> 40 = 12 AND outcome = 1;
    UPDATE progress SET accepted = accepted + rejected, rejected = 0 WHERE run = 12
    """

  /// The second is refused.
  private static let pushes = """
    fanfare send --env sandbox --bundle-id com.example.app --title Hello \
      --to \(tokenText(1)) --to \(tokenText(UserFolder.unknownToken))
    """
}

extension ExampleStaging.Feature {
  var isLeftOut: Bool {
    if case .isLeftOut = self { true } else { false }
  }

  /// Whether it runs until somebody stops it.
  var isEndless: Bool {
    if case .runsOn = self { true } else { false }
  }

  /// How it ends; nil when nothing is special about that.
  var exitCode: Int32? {
    switch self {
    case .ends(let code): code
    case .runsOn: 130
    case .isLeftOut, .finds, .findsHistory: nil
    }
  }
}
