import APNS
import Foundation
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

/// Sends, resumes and resends one list, killed in between, in an order that a seed decides. After each
/// pass the history is joined with the emulator's journal.
final class Chain {
  private let run: ResumableRun
  private let fanfare: Fanfare
  private var random: SeededRandom
  private let isAtMostOnce: Bool
  private let weather = Weather()
  private final class Weather: Sendable { let isBad = Atomic(true) }

  /// The passes that were killed, by the number of their run.
  private var killed: [Int: Int] = [:]
  /// The device tokens that a pass called in doubt before it sent to them.
  private var listed: Set<String> = []
  private(set) var steps: [String] = []

  init(seed: UInt64, _ count: Int, _ fanfare: Fanfare) throws {
    random = SeededRandom(seed: seed)
    isAtMostOnce = Bool.random(using: &random)
    let deferred = [0, 10, 50, 100].randomElement(using: &random) ?? 0
    let weather = weather
    self.fanfare = fanfare
    run = try ResumableRun(of: count, in: fanfare) { push in
      let isBad = weather.isBad.load(ordering: .relaxed) && push.token.number % 100 < deferred
      return isBad ? .reject(.serviceUnavailable) : nil
    }
  }

  /// How many pushes were processed again.
  var again: Int { run.witness.sights.processedAgain }

  var kills: Int { killed.values.reduce(0, +) }

  /// How many of those were of resends.
  var killsOfResends: Int { kills - killed[1, default: 0] }

  func suffer() throws {
    let words = run.words + ["--no-breaker"] + (isAtMostOnce ? ["--at-most-once"] : [])
    // What was sent to its end can be resent.
    try pass(words, of: 1, killable: Bool.random(using: &random))
    weather.isBad.store(false, ordering: .relaxed)
    for _ in 0..<Int.random(in: 1...5, using: &random) { try step() }
    try finish()
  }

  private func step() throws {
    let runs = try numbers
    let first = try run.history.texts("SELECT state FROM runs WHERE id = 1").first
    // What the first run has not read yet can only be sent by itself.
    let resendable = runs.filter { $0 > 1 || first == "finished" }
    if Bool.random(using: &random), let resent = resendable.randomElement(using: &random) {
      try resend(resent, killable: true)
    } else if let number = runs.randomElement(using: &random) {
      try resume(number, killable: true)
    }
  }

  /// Goes on until nothing is left, on a good day.
  private func finish() throws {
    for number in try numbers.shuffled(using: &random) { try resume(number) }
    for _ in 0..<8 {
      let before = run.server.emulator.requestCount
      try resend(1)
      try pass(["resume", "--now", "--verbose"], of: nil)
      if run.server.emulator.requestCount == before { return }
    }
    Issue.record("something is left for ever: \(steps)")
  }

  private func resume(_ number: Int, killable: Bool = false) throws {
    try pass(["resume", "\(number)", "--now", "--verbose"], of: number, killable: killable)
  }

  private func resend(_ number: Int, killable: Bool = false) throws {
    try pass(
      ["history", "resend", "\(number)", "--verbose"], of: (try numbers.max() ?? 0) + 1,
      listing: number, killable: killable)
  }

  /// - Parameters:
  ///   - number: the run that it sends; nil when the program chooses.
  ///   - listed: the run whose pushes it calls in doubt; nil for the one that it sends.
  private func pass(
    _ words: [String], of number: Int?, listing listed: Int? = nil, killable: Bool = false
  ) throws {
    let isKilled = killable && Int.random(in: 0..<10, using: &random) < 7
    let request = isKilled ? Int.random(in: 1...max(1, run.count / 2), using: &random) : 0
    let signal = Int.random(in: 0..<5, using: &random) == 0 ? SIGINT : SIGKILL
    let accepted = try steps.isEmpty ? [] : run.acceptedInHistory
    let sights = run.witness.sights
    let results = number.map { "run-\($0).csv" } ?? "last.csv"
    let program = try run.executioner.start(signal, atRequest: request) {
      try fanfare.start(words + ["--results", results])
    }
    let result = try program.finish()
    steps.append("\(words.prefix(3)) at \(request): \(result.exitCode ?? -1)")
    if result.exitCode != nil { expectHarmless(result.errors) }
    note(result, of: number)
    let doubtful = ResumableRun.ranges(in: result.errors)
    self.listed.formUnion(try tokens(doubtful, of: listed ?? number ?? chosen(result.errors)))
    expectAcceptedOnce(accepted, since: sights)
    if let number, result.exitCode != nil, result.exitCode != 2 {
      try expectComplete(results, of: number)
    }
  }

  /// The run that `resume` has found by itself.
  private func chosen(_ errors: String) -> Int? {
    errors.firstMatch(of: #/Run (\d+) of /#).flatMap { Int($0.1) }
  }

  private func note(_ result: Program.Result, of number: Int?) {
    #expect(result.exitCode != nil || run.executioner.hasStruck, "nobody killed it: \(steps)")
    #expect([nil, 0, 2, 4, 130].contains(result.exitCode), "\(steps): \(result.errors)")
    if let number, result.exitCode == nil { killed[number, default: 0] += 1 }
  }
}

// What must be so.
extension Chain {
  func expectNobodyLost() throws {
    let everybody = Set((1...run.count).map(tokenText))
    let lost = everybody.subtracting(run.witness.processed)
    expectSame(isAtMostOnce ? lost.subtracting(try unknown) : lost, [])
    expectSame(try run.acceptedInHistory.subtracting(run.witness.processed), [])
  }

  /// Twice comes only what was in doubt, and at most once nobody.
  func expectTwiceOnlyInDoubt() {
    let beyond = twice.subtracting(isAtMostOnce ? [] : listed).count
    #expect(beyond == 0, "\(beyond) came twice and had not been in doubt: \(steps)")
    #expect(again <= kills * ProgramBench.exposureOfKill, "\(again) again: \(steps)")
  }

  private var twice: Set<String> { Set(run.witness.sights.filter { $1.processed > 1 }.keys) }

  /// What the history calls accepted is never sent again.
  private func expectAcceptedOnce(_ accepted: Set<String>, since before: [String: Witness.Sight]) {
    let now = run.witness.sights
    let again = accepted.count { now[$0]?.ids.count != before[$0]?.ids.count }
    #expect(again == 0, "\(again) accepted ones were sent to again: \(steps)")
  }

  /// The last line of each push tells what the history does.
  private func expectComplete(_ name: String, of number: Int) throws {
    let rows = try run.history.rows(
      "SELECT id & 0xFFFFFFFFFF, outcome FROM pushes WHERE id >> 40 = \(number)")
    if rows.isEmpty { return }
    let told = Dictionary(
      try fanfare.folder.results(name).map { ($0.sequence, $0.outcome) }, uniquingKeysWith: { $1 })
    let names = ["accepted", "rejected", "skipped", "deferred", "unknown", "notAttempted"]
    let missing = rows.count { row in
      let columns = row.compactMap { $0.flatMap { Int($0) } }
      return columns.count != 2 || told[columns[0]] != names[columns[1]]
    }
    #expect(missing == 0, "\(name) lacks \(missing) of \(rows.count) results: \(steps)")
  }

  /// The device tokens of which the history does not know whether they were sent to: it says so, or a
  /// run was killed that had claimed their pushes.
  private var unknown: Set<String> {
    get throws {
      let pushes = """
        SELECT pushes.id FROM pushes JOIN progress ON run = pushes.id >> 40 JOIN runs ON runs.id = run
          WHERE outcome = 4 OR state = 'running' AND outcome IN (3, 5) AND pushes.pass < progress.pass
            AND pushes.id & 0xFFFFFFFFFF <= pass_claimed
        UNION SELECT origins.id FROM origins JOIN progress ON run = origins.id >> 40
          WHERE origins.id & 0xFFFFFFFFFF <= claimed AND origins.id NOT IN (SELECT id FROM pushes)
        """
      let numbers = try run.history.texts(
        "SELECT coalesce(origin, pushes.id) & 0xFFFFFFFFFF FROM (\(pushes)) AS pushes "
          + "LEFT JOIN origins ON origins.id = pushes.id")
      return Set(numbers.compactMap { Int($0) }.map(tokenText))
    }
  }

  private var numbers: [Int] {
    get throws { try run.history.texts("SELECT id FROM runs ORDER BY id").compactMap { Int($0) } }
  }

  /// The device tokens of pushes of a run, by number.
  private func tokens(_ sequences: [Int], of number: Int?) throws -> [String] {
    guard let number, !sequences.isEmpty else { return [] }
    if number == 1 { return sequences.map(tokenText) }
    let rows = try run.history.rows(
      "SELECT id & 0xFFFFFFFFFF, origin & 0xFFFFFFFFFF FROM origins WHERE id >> 40 = \(number)")
    let origins = Dictionary(
      rows.compactMap { row in
        let columns = row.compactMap { $0.flatMap { Int($0) } }
        return columns.count == 2 ? (columns[0], columns[1]) : nil
      }, uniquingKeysWith: { $1 })
    return sequences.compactMap { origins[$0] }.map(tokenText)
  }
}
