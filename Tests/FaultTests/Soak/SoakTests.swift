import Foundation
import PushEmulator
import PushModel
import SendingSupport
import TestSupport
import Testing

@Suite("The soak")
struct SoakTests {
  /// A seed, and how to repeat what it does.
  struct Trial: Sendable, CustomTestStringConvertible {
    let seed: UInt64
    let repetition: String

    var testDescription: String { "seed \(seed); repeat it with: \(repetition)" }
  }

  static let days = trials(SoakSetting.seeds) {
    "Scripts/soak --seed \($0) --seeds 1 --pushes \(SoakSetting.pushes)"
  }

  static let kills = trials(SoakSetting.kills) {
    "Scripts/soak --seed \($0) --kills 1 --kill-pushes \(SoakSetting.pushesOfKills)"
  }

  static let chains = trials(SoakSetting.chains) {
    "Scripts/soak --seed \($0) --chains 1 --kill-pushes \(SoakSetting.pushesOfKills)"
  }

  static let distances = trials(SoakSetting.distances) {
    "Scripts/soak --seed \($0) --distances 1 --kill-pushes \(SoakSetting.pushesOfKills)"
  }

  static let fleets = trials(SoakSetting.fleets) {
    "Scripts/soak --seed \($0) --fleets 1 --kill-pushes \(SoakSetting.pushesOfFleets)"
  }

  private static func trials(_ count: Int, _ repetition: (UInt64) -> String) -> [Trial] {
    (0..<UInt64(count)).map { SoakSetting.firstSeed + $0 }.map {
      Trial(seed: $0, repetition: repetition($0))
    }
  }

  @Test("On a bad day nobody is lost, and twice comes only what was in doubt", arguments: days)
  func badDay(_ trial: Trial) throws {
    try withTemporaryFolder { folder in
      let bench = RunBench(in: folder)
      let day = BadDay(seed: trial.seed, pushes: SoakSetting.pushes)
      try bench.suffer(day, SoakSetting.pushes)
      try PassCode.atLeastOnce.prove(bench)
      SoakSetting.tell("day \(trial.seed) \(SoakSetting.pushes) \(try bench.books.last.again)")
    }
  }

  @Test("Killed at any moment, and again while it is resumed, nobody is lost", arguments: kills)
  func killed(_ trial: Trial) throws {
    var random = SeededRandom(seed: trial.seed)
    let count = SoakSetting.pushesOfKills
    try withFanfare { fanfare in
      let bench = try ProgramBench(fanfare)
      let first = Int.random(in: 1...count, using: &random)
      try bench.send(count, "--connections", "1", atRequest: first)
      for _ in 0..<Int.random(in: 0...2, using: &random) where try bench.isUnfinished {
        try bench.resume(atRequest: Int.random(in: 1...count / 2, using: &random))
      }
      try PassCode.atLeastOnce.prove(bench)
      SoakSetting.tell("kill \(trial.seed) \(count)")
    }
  }
}

extension SoakTests {
  @Test(
    "Killed, resumed and resent in any order, nobody is lost, and no answer is forgotten",
    arguments: chains)
  func chain(_ trial: Trial) throws {
    let count = SoakSetting.pushesOfKills
    try withFanfare { fanfare in
      let chain = try Chain(seed: trial.seed, count, fanfare)
      try chain.suffer()
      try chain.expectNobodyLost()
      chain.expectTwiceOnlyInDoubt()
      let figures = [Int(trial.seed), count, chain.again, chain.kills, chain.killsOfResends]
      SoakSetting.tell("chain " + figures.map(String.init).joined(separator: " "))
    }
  }
}

extension SoakTests {
  @Test(
    "At a distance, with connections reset, only what was in flight on these is in doubt",
    arguments: distances, ["auto", "16"])
  func distant(_ trial: Trial, connections: String) throws {
    let count = SoakSetting.pushesOfKills
    let day = DistantDay(seed: trial.seed, pushes: count)
    try withFanfare { fanfare in
      let bench = try ProgramBench(fanfare)
      try bench.serve {
        $0.distance = day.distance
        $0.maxConcurrentStreams = day.streams
      }
      bench.answer(day.answer)
      try bench.send(count, "--connections", connections)
      bench.books.exposure.add(day.exposure)
      try PassCode.atLeastOnce.prove(bench)
      let last = try bench.books.last
      let doubtful = last.page.rows.count(where: \.wasResentInDoubt)
      #expect(doubtful > 0 && doubtful <= day.exposure, "\(day.losses) connections were lost")
      expectSame(day.sentAgainWithoutLoss, [])
      let figures = [Int(trial.seed), count, day.losses, doubtful, last.again].map(String.init)
      SoakSetting.tell("distance \(figures.joined(separator: " ")) \(connections)")
    }
  }
}

extension SoakTests {
  @Test(
    "Sent by workers that are killed, taken for dead and cut off from the database, nobody is lost",
    .needsPostgreSQL, arguments: fleets)
  func fleet(_ trial: Trial) throws {
    try withFanfare { fanfare in
      let day = try FleetDay(seed: trial.seed, SoakSetting.pushesOfFleets, fanfare)
      try day.suffer()
      let found = try day.prove()
      let figures = [
        Int(trial.seed), found.recipients, found.losses, found.crashes, found.cuts, found.again,
      ]
      SoakSetting.tell("fleet " + figures.map(String.init).joined(separator: " "))
    }
  }
}

extension RunBench {
  /// Sends on a bad day.
  fileprivate func suffer(_ day: BadDay, _ count: Int) throws {
    let time = MovableTime()
    let clock = WorkingClock(run.clock)
    run.clock = clock.clock
    run.connections = .fixed(day.connections)
    run.timeoutMilliseconds = 2000
    run.retryRules = .quick
    run.epochSeconds = { time.now }
    books.refusals = [410]
    goodDay = { $0.now = { Double(time.now) } }
    try serve(with: goodDay) { attempt in
      clock.noteWork()
      if attempt.push.number == day.expiry { time.move(by: 3700) }
      return day.answer(attempt)
    }
    try send(count)
  }
}

extension ProgramBench {
  /// Whether there is anything to resume.
  fileprivate var isUnfinished: Bool {
    get throws { try books.last.figures?.unfinished != 0 }
  }
}
