internal import APNS
internal import JSONText
internal import PlainText
internal import PushEmulator
package import Reporting
package import Settings

/// Explains rows of the fact tables, offline.
package struct Explain {
  /// The names to explain; empty for the list of all.
  let words: [String]
  let asJSON: Bool
  let context: Context

  package init(words: [String], asJSON: Bool, context: Context) {
    (self.words, self.asJSON, self.context) = (words, asJSON, context)
  }

  /// The names that a shell can complete without quoting.
  package static var completions: [String] {
    ExplainedTopic.all.map(\.name).filter { !$0.contains { "[]$ ".contains($0) } }
  }

  /// - Throws: `Failure.unknownTopic`.
  package func run() throws(Failure) -> Report {
    let all = ExplainedTopic.all
    let phrase = words.joined(separator: " ")
    let ofKind = words.isEmpty ? all : all.filter { $0.kind.isCalled(phrase) }
    let isList = !ofKind.isEmpty && !all.contains { $0.answers(to: phrase) }
    let found = isList ? ofKind : try topics(phrase, among: all)
    if words.isEmpty, !asJSON { return Report(parts: ExplainedTopic.overview(all)) }
    let parts = isList && !asJSON ? ExplainedTopic.list(found) : [.list(nil, found.map(\.parts))]
    return Report(parts: parts, form: .array).asJSON(asJSON)
  }

  /// The topics of all words together, as in `exit code 4`, or else of each.
  private func topics(
    _ phrase: String, among all: [ExplainedTopic]
  ) throws(Failure) -> [ExplainedTopic] {
    var found = all.filter { $0.answers(to: phrase) }
    if !found.isEmpty { return found }
    for word in words { found += try Self.topics(word, among: all) }
    return found
  }

  private static func topics(
    _ word: String, among all: [ExplainedTopic]
  ) throws(Failure) -> [ExplainedTopic] {
    let found = all.filter { $0.answers(to: word) }
    if found.isEmpty { throw .unknownTopic(word, near: near(word, among: all)) }
    return found
  }

  /// Names spelled like the word, or else those that contain all of its parts.
  private static func near(_ word: String, among all: [ExplainedTopic]) -> [String] {
    let names = Dictionary(all.flatMap(\.names).map { ($0.spelling, $0) }) { first, _ in first }
    let like = Suggestion.near(word.spelling, among: names.keys.sorted())
    let words = word.words.filter { $0.count > 2 }
    guard like.isEmpty, !words.isEmpty else { return like.compactMap { names[$0] } }
    let having = all.map(\.name).filter { name in words.allSatisfy(name.spelling.contains) }
    return Array(having.prefix(3))
  }
}

extension Failure {
  static func unknownTopic(_ word: String, near: [String]) -> Failure {
    // A long word may be a device token.
    let shown = word.count > 40 ? "…" + word.suffix(8).printable : word.printable
    return Failure(
      "There is nothing called '\(shown)'.",
      fix: Suggestion.question(near) ?? "'fanfare explain' lists everything it can explain.")
  }
}

/// A row of one of the fact tables, as `explain` prints it.
struct ExplainedTopic {
  enum Kind: String, JSONWord {
    case header
    case pushType = "push type"
    case payloadKey = "payload key"
    case reason
    case status
    case environment
    case port
    case rule
    case exitCode = "exit code"
    case scenarioKey = "scenario key"

    fileprivate var plural: String { self == .status ? "statuses" : rawValue + "s" }

    /// Its name, its plural, and the first word of them: `exit`.
    fileprivate var names: [String] {
      [rawValue, plural, String(rawValue.prefix { $0 != " " })]
    }

    fileprivate func isCalled(_ word: String) -> Bool {
      names.contains { $0.spelling == word.spelling }
    }
  }

  let kind: Kind
  let name: String
  let summary: String
  let facts: [Fact]
  /// The causes of a reason, likeliest first; none unless it has several.
  var causes: [Cause] = []
  /// Other words that find it.
  var words: [String] = []

  /// Ignores case, dashes and blanks: people may not know the exact spelling.
  func answers(to word: String) -> Bool {
    let word = word.spelling
    return names.contains { $0.spelling == word }
      || kind.names.contains { "\($0) \(name)".spelling == word }
      || (kind == .payloadKey && name.spelling == ("aps." + word).spelling)
  }

  /// The name and its short forms.
  fileprivate var names: [String] {
    let isShort = kind == .header && name.hasPrefix("apns-")
    return [name, lastWord] + words + (isShort ? [String(name.dropFirst(5))] : [])
  }

  /// The part after the last dot of a key; otherwise the name.
  var lastWord: String {
    guard kind == .payloadKey || kind == .scenarioKey else { return name }
    return name.split(separator: ".").last.map(String.init) ?? name
  }

  static var all: [ExplainedTopic] {
    headers + pushTypes + payloadKeys + reasons + statuses + environments + ports + rules
      + exitCodes + scenarioKeys
  }
}

extension String {
  /// The name in the form used for comparison.
  fileprivate var spelling: String { lowercased().filter { !"-_ ".contains($0) } }

  /// The words in it, in lowercase: `BadToken` has two.
  fileprivate var words: [String] {
    var (words, previous): ([String], Character) = ([""], " ")
    for next in self {
      let isInside = next.isLetter || next.isNumber
      if !isInside || next.isUppercase && previous.isLowercase { words.append("") }
      if isInside { words[words.count - 1] += next.lowercased() }
      previous = next
    }
    return words
  }
}

extension ExplainedTopic {
  /// A fact of a topic: its key in JSON, and its text.
  struct Fact {
    let key: JSONShape.Key
    let text: String

    /// A fact under its name; an explanation is a paragraph.
    fileprivate var parts: [Report.Part] {
      if key.name == "explanation" {
        return [.json(key.name, .text(text)), .paragraph(StyledText(text))]
      }
      let labels = ["signsIn": "authentication", "apnsSays": "APNs answers"]
      let shown = StyledText(text, link: address(ofSource: text))
      return [
        .fact(
          .init(
            name: StyledText(labels[key.name] ?? key.name), shown: shown, key: key.name,
            value: .text(text)))
      ]
    }
  }

  var parts: [Report.Part] {
    let all = Self.head.parts(of: self) + facts.flatMap(\.parts) + causes.parts
    return [.section("\(name)  (\(kind.rawValue))", all)]
  }

  private static let head: [OutputField<Self>] = [
    .always("kind", \.kind, "What it is."), .always("name", \.name, "Its name."),
    .always("summary", \.summary, "What it is for, in a sentence."),
    .people { [.paragraph(StyledText($0.summary))] },
  ]

  static let shape = JSONShape.object(
    head.keys() + facts
      + [Cause].field.keys.map(\.sometimes))

  /// The facts of all topics.
  private static var facts: [JSONShape.Key] {
    var seen: Set<String> = []
    return all.flatMap(\.facts).map(\.key).filter { seen.insert($0.name).inserted }
  }

  /// The kinds with their first names, and how to list one.
  static func overview(_ topics: [ExplainedTopic]) -> [Report.Part] {
    let kinds = Kind.allCases.map { kind -> Report.Part in
      let names = topics.filter { $0.kind == kind }.map(\.name)
      let first = names.prefix(3).joined(separator: ", ")
      let rest = names.count - 3
      return .text(
        StyledText(kind.plural), StyledText(first + (rest > 0 ? " and \(rest) more" : "")))
    }
    return kinds + [
      .lines([""]),
      .paragraph(
        "'fanfare explain NAME' explains one, and 'fanfare explain reasons' lists all of a kind."),
    ]
  }

  static func list(_ topics: [ExplainedTopic]) -> [Report.Part] {
    Kind.allCases.compactMap { kind in
      let rows = topics.filter { $0.kind == kind }
      return rows.isEmpty
        ? nil
        : .section(StyledText(kind.plural), rows.map { .text("\($0.name)", "\($0.summary)") })
    }
  }

  private static func fact(_ key: JSONShape.Key, _ text: String) -> [Fact] {
    text.isEmpty ? [] : [Fact(key: key, text: text)]
  }
}

// The facts of topics.
extension JSONShape.Key {
  fileprivate static let explanation = fact("explanation", "More about it.")
  fileprivate static let format = fact("format", "How a header's value is written.")
  fileprivate static let topic = fact("topic", "The topic of a push type.")
  fileprivate static let priority = fact("priority", "The priorities of a push type.")
  fileprivate static let payload = fact("payload", "The limit of a push type's payload.")
  fileprivate static let signsIn = fact("signsIn", "How a push type authenticates.")
  fileprivate static let platforms = fact("platforms", "Where a push type exists.")
  fileprivate static let otherwise = fact("otherwise", "The effect of a value that is not valid.")
  fileprivate static let type = fact("type", "The type of a key's value.")
  fileprivate static let host = fact("host", "The host of an environment.")
  fileprivate static let option = fact(
    "option", "The option that chooses an environment or a port.")
  fileprivate static let fix = fact("fix", "What to do.")
  fileprivate static let status = fact("status", "The status that a reason comes with.")
  fileprivate static let reasons = fact("reasons", "The reasons that come with a status.")
  fileprivate static let severity = fact("severity", "Whether a broken rule is an error.")
  fileprivate static let apnsSays = fact("apnsSays", "What APNs answers to a broken rule.")
  fileprivate static let source = fact("source", "Where this is documented.")

  private static func fact(_ name: String, _ meaning: String) -> Self {
    Self(name, .text, meaning).sometimes
  }
}

// One list per table.
extension ExplainedTopic {
  private static var headers: [ExplainedTopic] {
    HeaderTable.all.map { row in
      Self(
        kind: .header, name: row.name, summary: row.summary,
        facts: fact(.explanation, row.explanation) + fact(.format, row.format)
          + fact(.source, row.source))
    }
  }

  private static var pushTypes: [ExplainedTopic] {
    PushType.table.map { row in
      let ways = row.authentication.map(\.rawValue).sorted().joined(separator: " or ")
      return Self(
        kind: .pushType, name: row.type.rawValue, summary: row.summary,
        facts: fact(.topic, topic(of: row))
          + fact(.priority, row.priorities.map(\.description).joined(separator: ", "))
          + fact(.payload, limit(of: row))
          + fact(.signsIn, ways) + fact(.platforms, row.platforms)
          + fact(.source, row.source))
    }
  }

  private static func limit(of row: PushTypeInfo) -> String {
    let limit = "at most \(row.payloadLimit) bytes"
    return row.type == .liveactivity
      ? limit + ", to a channel \(PushType.broadcastPayloadLimit)" : limit
  }

  private static func topic(of row: PushTypeInfo) -> String {
    if !row.usesBundleID { return "the one in the MDM certificate, com.apple.mgmt.…" }
    return "bundle ID" + (row.suffix.isEmpty ? "" : " + " + row.suffix)
  }

  private static var payloadKeys: [ExplainedTopic] {
    PayloadKey.table.map { row in
      Self(
        kind: .payloadKey, name: row.path, summary: row.summary,
        facts: fact(.explanation, row.explanation) + fact(.otherwise, row.otherwise)
          + fact(.type, row.kinds.map(\.rawValue).joined(separator: " or "))
          + fact(.source, row.source), words: row.values.words)
    } + [simulatorTarget]
  }

  private static var simulatorTarget: ExplainedTopic {
    Self(
      kind: .payloadKey, name: SimulatorTarget.key,
      summary: "The bundle ID of the app that an .apns file is for.",
      facts: fact(
        .explanation,
        "Only the Simulator reads it: 'fanfare send' leaves it out, 'fanfare simulate' adds it.")
        + fact(.type, PayloadKey.Kind.text.rawValue))
  }

  private static var reasons: [ExplainedTopic] {
    Reason.table.map { row in
      // If there are several causes, each has its own fix.
      let causes = row.reason.causes.count > 1 ? row.reason.causes : []
      return Self(
        kind: .reason, name: row.reason.rawValue, summary: row.meaning,
        facts: fact(.fix, causes.isEmpty ? row.advice : "")
          + fact(.status, row.status.description) + fact(.source, row.source),
        causes: causes)
    } + reasonsOfEmulator
  }

  private static var reasonsOfEmulator: [ExplainedTopic] {
    EmulatorReason.table.map { row in
      Self(
        kind: .reason, name: row.reason.rawValue, summary: row.meaning,
        facts: fact(.explanation, "Only the emulator says so: what APNs answers is not documented.")
          + fact(.fix, row.advice) + fact(.status, Status.badRequest.description))
    }
  }

  private static var environments: [ExplainedTopic] {
    let summaries: [(PushEnvironment, String)] = [
      (.production, "APNs for apps from the App Store, TestFlight and Ad Hoc distribution."),
      (.sandbox, "APNs for development builds, as Xcode installs them."),
      (.emulator, "fanfare's own local APNs; needs no Apple account and reaches no device."),
    ]
    let named = summaries.map { environment, summary in
      Self(
        kind: .environment, name: environment.name, summary: summary,
        facts: fact(.host, environment.address?.host ?? "")
          + fact(.option, "--env \(environment.name)"),
        words: EnvironmentSetting.otherNames.filter { $0.meant == [environment.name] }.map(\.word))
    }
    return named + [
      Self(
        kind: .environment, name: PushEnvironment.inboxName,
        summary: "The emulator with an inbox that was started last on this machine.",
        facts: fact(.option, "--env \(PushEnvironment.inboxName)")),
      Self(
        kind: .environment, name: EnvironmentSetting.autoName,
        summary: "Tries sandbox, then production, with the first push.",
        facts: fact(.option, "--env \(EnvironmentSetting.autoName)")),
    ]
  }

  private static var ports: [ExplainedTopic] {
    [
      Self(
        kind: .port, name: "443", summary: "The usual port of APNs.",
        facts: fact(.option, "--port 443")),
      Self(
        kind: .port, name: "2197",
        summary: "The other port of APNs, for networks whose firewall lets no HTTPS pass.",
        facts: fact(.option, "--port 2197")),
    ]
  }

  private static var statuses: [ExplainedTopic] {
    Status.table.map { row in
      let reasons = Reason.table.filter { $0.status == row.status }.map(\.reason.rawValue)
      return Self(
        kind: .status, name: row.status.description, summary: row.meaning,
        facts: fact(.reasons, reasons.joined(separator: ", ")))
    }
  }

  private static var rules: [ExplainedTopic] {
    RuleTable.all.map { row in
      Self(
        kind: .rule, name: row.identifier, summary: row.summary,
        facts: fact(.fix, row.fix) + fact(.severity, row.severity.rawValue)
          + fact(.apnsSays, row.answer) + fact(.source, row.source))
    }
  }

  private static var exitCodes: [ExplainedTopic] {
    ExitCode.allCases.map {
      Self(kind: .exitCode, name: "\($0.rawValue)", summary: $0.meaning, facts: [])
    }
  }

  private static var scenarioKeys: [ExplainedTopic] {
    ScenarioShape.file.places.map { place in
      Self(
        kind: .scenarioKey, name: place.path, summary: place.key.help,
        facts: fact(.type, place.key.shape.inWords)
          + fact(.explanation, place.key.isRequired ? "Required." : ""))
    }
  }
}

extension PayloadKey.Values {
  /// The words allowed as a value.
  fileprivate var words: [String] { if case .words(let words) = self { words } else { [] } }
}
