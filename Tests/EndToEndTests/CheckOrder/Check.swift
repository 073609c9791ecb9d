import SendingSupport

/// Something that a command looks for before it sends: how it is brought about, and what is told.
struct Check: Sendable {
  /// How a person would call what is wrong.
  let name: String
  /// A part of the sentence that is told of it, and of nothing else.
  let says: String
  let changes: [Change]

  init(_ name: String, _ changes: Change..., says: String) {
    (self.name, self.changes, self.says) = (name, changes, says)
  }

  /// They change different things, so that both can be wrong at the same time.
  func goes(with other: Check) -> Bool {
    let places = Set(changes.compactMap(\.place))
    return places.isDisjoint(with: other.changes.compactMap(\.place))
  }
}

/// A change to a command that would send.
enum Change: Sendable {
  /// Words are added to it.
  case add(String, String? = nil)
  /// An option has another value.
  case set(String, String)
  /// An option is left out.
  case drop(String)
  /// The project's file says it in place of the option.
  case project(String)
  /// The project's file says this.
  case write(inProject: String)
  /// A variable is set.
  case variable(String, String)
  /// A file has other contents, or is gone.
  case file(String, String?)
  /// It names an earlier run that there is not.
  case otherRun

  /// What two changes cannot both be made to; nil for what goes with everything.
  var place: String? {
    switch self {
    case .add(let name, _), .set(let name, _), .drop(let name), .file(let name, _): name
    case .variable(let name, _): name
    case .project, .write, .otherRun: nil
    }
  }
}

// The words, and what was said to be sent.
extension Check {
  static let unknownOption = Check(
    "an unknown option", .add("--bogus"), says: "Unknown option '--bogus'.")
  static let unknownField = Check(
    "an unknown field", .add("--json=nosuch"), says: "unknown field 'nosuch'")
  static let contradiction = Check(
    "options that contradict each other", .set("--env", "sandbox"),
    .add("--server", "https://a.invalid"), says: "'--env' and '--server' cannot be used together")
  static let optionOfWorkers = Check(
    "an option of workers", .add("--ca", "ca.pem"), says: "cannot be used with '--enqueue'")
  static let missing = Check(
    "no app and no content", .drop("--bundle-id"), .drop("--title"),
    says: "There is nothing to send.")
  static let noAppNorKey = Check(
    "no app and no key", .drop("--bundle-id"), .drop("--key"), .drop("--team-id"),
    says: "No app given.")
  static let nothingToSend = Check(
    "no content", .drop("--title"), says: "There is nothing to send.")
  static let noEnvironment = Check(
    "no environment", .drop("--env"), says: "No environment given")
  static let brokenRule = Check(
    "a broken rule", .add("--collapse-id", String(repeating: "x", count: 65)),
    says: "The collapse ID is 65 bytes long.")
  static let badExpiration = Check(
    "a time that is none", .add("--expiration", "never"), says: "--expiration cannot be 'never'.")
  static let tooManyRetries = Check(
    "retries of more than a day", .add("--retries", "50"), says: "the limit is a day")
}

// What a project's file wants unseen.
extension Check {
  static let trust = Check(
    "a proxy that the project names", .project("--proxy"), says: "connects through the proxy")
  static let historyTrust = Check(
    "a history that the project names", .project("--history"), says: "keeps the history in")
  static let serverTrust = Check(
    "a server that the project names", .drop("--env"),
    .write(inProject: "environment: {server: 'https://apns.invalid'}"),
    says: "sends your credentials to https://apns.invalid")
}

// Files.
extension Check {
  static let overwritten = Check(
    "a list that would be overwritten", .add("--dead-tokens", "list.txt"),
    says: "--dead-tokens would overwrite list.txt")
  static let overwrittenAuthority = Check(
    "an authority that would be overwritten", .add("--ca", "ca.pem"),
    .add("--dead-tokens", "ca.pem"), says: "--dead-tokens would overwrite ca.pem")
  static let suppressed = Check(
    "a list of --suppress that is gone", .add("--suppress", "none.txt"),
    says: "none.txt: The list does not exist.")
  static let list = Check(
    "a list that cannot be read", .add("--tokens", "gone.txt"),
    says: "gone.txt: The list does not exist.")
  static let listToAskAbout = Check(
    "a list that cannot be read, and is to be asked about", .add("--tokens", "gone.txt"),
    .variable("FANFARE_CONFIRM", "1"), says: "gone.txt: The list does not exist.")
  static let listGone = Check(
    "a list of the run that is gone", .file("list.txt", nil),
    says: "list.txt, which run 1 read with --tokens, is gone.")
  static let listChanged = Check(
    "a list of the run that has changed", .file("list.txt", tokenList(1)),
    says: "list.txt: the list has changed since the run began.")
  static let scenarioGone = Check(
    "a scenario that is gone", .file("s.json5", nil),
    says: "The scenario file s.json5 does not exist.")
  static let report = Check(
    "a report that cannot be written", .add("--junit", "none/r.xml"),
    says: "The report file none/r.xml cannot be written")
  static let unwritable = Check(
    "results that cannot be written", .add("--dead-tokens", "none/dead.txt"),
    says: "The dead tokens file none/dead.txt cannot be written")
}

// Credentials, the history, the question, and the end of all checks.
extension Check {
  static let noKey = Check(
    "no key", .drop("--key"), .drop("--team-id"), says: "No credentials given")
  static let keyGone = Check(
    "a key that is gone", .set("--key", "gone/\(keyFile)"),
    says: "The key file gone/\(keyFile) does not exist.")
  static let history = Check(
    "a history that is none", .add("--history", "bad.sqlite"),
    says: "bad.sqlite: not a fanfare history.")
  static let noQueue = Check(
    "a history without a queue", .set("--history", "h.sqlite"), says: "it has no queue of runs")
  static let noDatabase = Check(
    "a database that cannot be reached", .set("--history", "postgresql://127.0.0.1:1/h"),
    says: "cannot connect")
  static let noSuchRun = Check("no such run", .otherRun, says: "The history has no run 99.")
  static let otherEnvironment = Check(
    "a run for elsewhere", .set("--env", "sandbox"), says: "this worker sends to sandbox")
  static let question = Check(
    "the question before production", .variable("FANFARE_CONFIRM", "1"), says: "Give --yes")
  static let firstByte = Check("the first byte", says: "502")
  static let enqueued = Check("the queue", says: "2 pushes are enqueued")
}
