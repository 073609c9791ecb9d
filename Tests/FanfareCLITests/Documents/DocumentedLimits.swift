/// A limit that a document or a help text states.
struct DocumentedLimit {
  enum Proof {
    /// The test, `Suite.function`, that tries it at the limit and one above.
    case tried(String)
    /// No test tries both, for this reason.
    case open(String)
    /// The sentence is no limit of fanfare's.
    case fact
  }

  /// A file in `docs`, README.md, or a help text.
  let place: String
  /// The words around the figure, as ``LimitPhrases`` finds them.
  let phrase: String
  let proof: Proof

  init(_ place: String, _ phrase: String, _ proof: Proof) {
    (self.place, self.phrase, self.proof) = (place, phrase, proof)
  }
}

extension DocumentedLimit {
  /// Every limit in documents and help, by place and then as they stand there. Whoever writes one adds
  /// its row, with the test that tries it.
  static let all: [DocumentedLimit] = documents + help

  private static let agreement = Proof.tried("RuleAgreementTests.agree")
  private static let connections = Proof.tried("ArgumentValueTests.refuses")
  private static let automatic = Proof.open("what auto opens is tried with fewer connections")
  private static let elsewhere = Proof.open("to be named by whoever tries it")

  private static let documents: [DocumentedLimit] = [
    .init("channels.md", "up to eight hours", .fact),
    .init("channels.md", "more than five", .open("no test has six")),
    .init("channels.md", "up to three times", .tried("ChannelTrialsTests.steps")),
    .init("channels.md", "eight hours are the most", agreement),
    .init("channels.md", "at most 5,120 bytes", agreement),
    .init("channels.md", "more than 5,120 bytes", agreement),
    .init("checking.md", "at most 1,000 bad", .tried("CheckingTests.manyBadLines")),
    .init("checking.md", "at most 4,096 bytes", agreement),
    .init("configuration.md", "at most 40 letters", .tried("DevicesTests.naming")),
    .init("configuration.md", "at most 65,536 bytes", .tried("SecretCommandTests.length")),
    .init("doctor.md", "more than five minutes", .open("tried ten minutes off")),
    .init("doctor.md", "4 to 6", .fact),
    .init("emulator.md", "0 to 1", .fact),
    .init("emulator.md", "at most a day", .open("tried far off")),
    .init("emulator.md", "at most 64 MiB", .open("64 MiB are much for a test")),
    .init("emulator.md", "65,535 bytes", .fact),
    .init("emulator.md", "up to 1000", elsewhere),
    .init("emulator.md", "up to 10m", elsewhere),
    .init("emulator.md", "at most 4 MiB", elsewhere),
    .init("emulator.md", "16 KiB", elsewhere),
    .init("emulator.md", "8 KiB", elsewhere),
    .init("emulator.md", "at most 100 parameters", elsewhere),
    .init("emulator.md", "At most 256 connections", elsewhere),
    .init("emulator.md", "At most 64 of", elsewhere),
    .init("emulator.md", "16 KiB", elsewhere),
    .init("emulator.md", "at most 4 MiB", elsewhere),
    .init(
      "emulator.md", "8,000 bytes", .open("tried far on both sides, by StrictnessTests.headerList")),
    .init("emulator.md", "more than an hour ago", .open("tried far off")),
    .init("emulator.md", "more than a minute ahead", .open("tried far off")),
    .init("emulator.md", "64 to 400", .tried("DeviceTokenTests.refused")),
    .init("emulator.md", "5,120 bytes", agreement),
    .init("emulator.md", "5 to 9", .fact),
    .init("emulator.md", "5,120 bytes", agreement),
    .init("emulator.md", "more than 64 KiB", .open("tried far off")),
    .init("fleet.md", "up to 1,024 recipients", .tried("RecipientGatheringTests.full")),
    .init("fleet.md", "At most 16 connections", automatic),
    .init("fleet.md", "more than 200,000 results", .tried("LostWorkerTests.tooMany")),
    .init("formats.md", "at most 400. It", .tried("DeviceTokenTests.refused")),
    .init("formats.md", "32, bytes", .fact),
    .init("formats.md", "fewer than 128 digits", .tried("DeviceTokenTests.beside")),
    .init("formats.md", "80 bytes", .fact),
    .init("formats.md", "more than 1 MiB", .open("tried far off")),
    .init("formats.md", "at most 1 MiB", .tried("LineReaderTests.greatestLength")),
    .init("formats.md", "8 bytes", .fact),
    .init("formats.md", "0 to 7", .fact),
    .init("formats.md", "1 to 64,", connections),
    .init("formats.md", "0 to 1", .open("tried far off")),
    .init("formats.md", "1 to 64,", connections),
    .init("formats.md", "at most a day", connections),
    .init("formats.md", "0 to 100", .tried("ArgumentValueTests.number")),
    .init("formats.md", "more than 1 after", .fact),
    .init("formats.md", "up to three device", .open("no test has four")),
    .init("formats.md", "64 characters", .open("tried far off")),
    .init("formats.md", "64 bytes", .fact),
    .init("formats.md", "at most five", .open("no test has six")),
    .init("formats.md", "at most 8,192 bytes", .open("cut far off, by FlowTests.largeBody")),
    .init("history.md", "up to 3", .fact),
    .init("history.md", "up to half a", .fact),
    .init("history.md", "at most 2,000 rows", .tried("HistoryPageTests.cut")),
    .init("history.md", "64 KiB", .tried("ListFingerprintTests.changed")),
    .init("history.md", "Up to 128 KiB", .open("tried far on both sides")),
    .init("rules.md", "at most 30 days", agreement),
    .init("rules.md", "1 to 64", agreement),
    .init("rules.md", "at most 1.8", .open("tried far off")),
    .init("sending.md", "up to 15 bytes", .fact),
    .init("sending.md", "up to a million pushes", .tried("PlannedPushesTests.limit")),
    .init("sending.md", "at most 16. A", automatic),
    .init("sending.md", "1 to 64,", connections),
    .init("sending.md", "a day at most", .tried("RetryPolicyTests.jitter")),
    .init("sending.md", "up to 5 tries", .tried("RetryPolicyTests.slowToken")),
    .init("sending.md", "at most 3 times", .tried("ResendTests.refusedForEver")),
    .init("sending.md", "an hour at most", .tried("RetryAfterTests.wait")),
    .init("sending.md", "at most 3 times", .tried("ResendTests.refusedForEver")),
    .init("sending.md", "at most 16 pushes", .fact),
    .init("sending.md", "more than a day ago", .tried("RunRestTests.consent")),
    .init("studio.md", "At most 8 runs", elsewhere),
    .init("studio.md", "At most 4 other", elsewhere),
    .init("studio.md", "4 MiB", elsewhere),
    .init("studio.md", "up to 1 MiB", elsewhere),
  ]

  private static let help: [DocumentedLimit] = [
    .init("help-channel-create", "up to five channels", .open("no test has six")),
    .init("help-check", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-check", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-config-show", "at most 16. Default", automatic),
    .init("help-device-add", "32, bytes", .fact),
    .init("help-device-add", "at most 40 letters", .tried("DevicesTests.naming")),
    .init("help-history-resend", "at most a hundred of", .open("no test has a hundred and one")),
    .init("help-history-resend", "at most 16. Default", automatic),
    .init("help-preview", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-preview", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-resume", "more than a day ago", .tried("RunRestTests.consent")),
    .init("help-run", "at most 64. Default", .tried("ArgumentValueTests.parallel")),
    .init("help-run", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-run", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-run", "at most 16. Default", automatic),
    .init("help-send", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-send", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-send", "at most 16. Default", automatic),
    .init("help-simulate", "at most 4,096 bytes", agreement),
    .init("help-simulate", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-simulate", "0 to 1", .tried("ArgumentValueTests.refuses")),
    .init("help-work", "at most 16. Default", automatic),
  ]
}
