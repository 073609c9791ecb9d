import Testing

/// A way to send, and the order in which it looks for what may keep it from sending.
struct WayToSend: CustomTestStringConvertible {
  /// The words of its command, but for options. `RUN` stands for the number of an earlier run.
  let words: [String]
  /// The earlier run was left to workers, and so is what this command begins; all of it is in
  /// PostgreSQL.
  var usesQueue = false
  /// The earlier run, which its words name.
  var isLater: Bool { words.contains { $0.contains("RUN") } }
  /// What is looked for, first to last. The last is what follows when nothing is found.
  let order: [Check]

  var testDescription: String { words.joined(separator: " ") }
}

extension WayToSend {
  /// What the program does: with several things wrong, the uppermost is told, and nothing is sent.
  static let table = [
    WayToSend(
      words: ["send"],
      order: [
        .unknownOption, .unknownField, .contradiction, .missing, .trust, .overwritten,
        .nothingToSend, .brokenRule, .tooManyRetries, .suppressed, .list, .noKey, .keyGone,
        .question, .unwritable, .history, .firstByte,
      ]),
    WayToSend(
      words: ["send", "--again=RUN"],
      order: [
        .unknownOption, .contradiction, .history, .noSuchRun, .listGone, .unknownField, .trust,
        .overwritten, .brokenRule, .tooManyRetries, .suppressed, .keyGone, .question, .unwritable,
        .firstByte,
      ]),
    WayToSend(
      words: ["resume", "RUN"],
      order: [
        .unknownOption, .contradiction, .history, .noSuchRun, .listChanged, .unknownField, .trust,
        .overwritten, .keyGone, .question, .unwritable, .firstByte,
      ]),
    WayToSend(
      words: ["history", "resend", "RUN"],
      order: [
        .unknownOption, .contradiction, .history, .noSuchRun, .badExpiration, .unknownField,
        .trust, .overwrittenAuthority, .keyGone, .tooManyRetries, .question, .unwritable,
        .firstByte,
      ]),
    WayToSend(
      words: ["run", "s.json5"],
      order: [
        .unknownOption, .unknownField, .scenarioGone, .contradiction, .tooManyRetries, .noAppNorKey,
        .trust, .brokenRule, .suppressed, .list, .noKey, .keyGone, .overwritten, .report, .history,
        .question, .unwritable, .firstByte,
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
        .missing, .serverTrust, .nothingToSend, .brokenRule, .tooManyRetries, .suppressed, .list,
        .noKey, .question, .noDatabase, .enqueued,
      ]),
  ]
}
