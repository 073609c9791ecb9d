import Testing

/// A way to send, and the order in which it looks for what may keep it from sending.
struct WayToSend: CustomTestStringConvertible {
  /// The words of its command, but for options. `RUN` stands for the number of an earlier run.
  let words: [String]
  /// The earlier run was left to workers, and so is what this command begins; all of it is in
  /// PostgreSQL.
  var usesQueue = false
  /// What is looked for, first to last. The last is what follows when nothing is found.
  let order: [Check]
  /// Checks of which one is in vain beside the other.
  var apart: [[Check]] = []

  /// It takes up an earlier run.
  var isLater: Bool { words.contains { $0.contains("RUN") } }

  var testDescription: String { words.joined(separator: " ") }

  /// Both can be wrong at the same time, and each is wrong in spite of the other.
  func canBreak(_ one: Check, with other: Check) -> Bool {
    let names = Set([one.name, other.name])
    return one.goes(with: other) && !apart.contains { Set($0.map(\.name)) == names }
  }
}

extension WayToSend {
  /// What the program does: with several things wrong, the uppermost is told, and nothing is sent.
  static let table = [
    WayToSend(
      words: ["send"],
      order: [
        .unknownOption, .unknownField, .contradiction, .missing, .trust, .overwritten,
        .nothingToSend, .brokenRule, .tooManyRetries, .suppressed, .list, .noKey, .keyGone,
        .unwritable, .history, .question, .firstByte,
      ],
      // Several things that are missing are told together, earlier than each.
      apart: [[.noKey, .nothingToSend]]),
    WayToSend(
      words: ["send", "--again=RUN"],
      order: [
        .unknownOption, .contradiction, .history, .noSuchRun, .listGone, .unknownField, .trust,
        .overwritten, .brokenRule, .tooManyRetries, .suppressed, .keyGone, .unwritable, .question,
        .firstByte,
      ]),
    WayToSend(
      words: ["resume", "RUN"],
      order: [
        .unknownOption, .contradiction, .history, .noSuchRun, .listChanged, .unknownField, .trust,
        .overwritten, .keyGone, .unwritable, .question, .firstByte,
      ]),
    WayToSend(
      words: ["history", "resend", "RUN"],
      order: [
        .unknownOption, .contradiction, .history, .noSuchRun, .badExpiration, .unknownField,
        .trust, .overwrittenAuthority, .tooManyRetries, .keyGone, .unwritable, .question,
        .firstByte,
      ]),
    WayToSend(
      words: ["run", "s.json5"],
      order: [
        .unknownOption, .unknownField, .scenarioGone, .contradiction, .noAppNorKey, .trust,
        .overwrittenAuthority, .brokenRule, .tooManyRetries, .suppressed, .list, .noKey, .keyGone,
        .report, .unwritable, .history, .question, .firstByte,
      ]),
    WayToSend(
      words: ["work", "RUN"], usesQueue: true,
      order: [
        .unknownOption, .unknownField, .contradiction, .noQueue, .noEnvironment, .trust, .keyGone,
        .noDatabase, .noSuchRun, .otherEnvironment, .firstByte,
      ]),
    WayToSend(
      words: ["send", "--enqueue"], usesQueue: true,
      order: [
        .unknownOption, .unknownField, .contradiction, .optionOfWorkers, .historyTrust, .noQueue,
        .missing, .serverTrust, .nothingToSend, .brokenRule, .tooManyRetries, .listToAskAbout,
        .suppressed, .list, .noKey, .noDatabase, .question, .enqueued,
      ],
      // A history in a file needs no consent. Lists to be asked about are read before those to send to.
      apart: [[.historyTrust, .noQueue], [.listToAskAbout, .suppressed]]),
  ]
}
