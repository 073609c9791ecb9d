import Foundation

/// How long the soak is: a little in `make test`, and what `Scripts/soak` asks for.
enum SoakSetting {
  /// The first seed.
  static let firstSeed = UInt64(number("SEED") ?? 1)
  /// How many bad days.
  static let seeds = number("SEEDS") ?? 5
  /// How many pushes a bad day has.
  static let pushes = number("PUSHES") ?? 4000
  /// How many programs are killed.
  static let kills = number("KILLS") ?? 2
  /// How many lists are sent, resumed and resent with kills in between.
  static let chains = number("CHAINS") ?? 3
  /// How many lists are sent to a distant server that resets connections.
  static let distances = number("DISTANCES") ?? 1
  /// How many lists are sent by several workers.
  static let fleets = number("FLEETS") ?? 1
  /// How many pushes those of the last four kinds have.
  static let pushesOfKills = number("KILL_PUSHES") ?? 4000
  /// The same for fleets.
  static let pushesOfFleets = number("KILL_PUSHES") ?? 3000
  /// How many pushes figures are taken of; nil takes none.
  static let measured = number("MEASURED")

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment["FANFARE_SOAK_\(name)"].flatMap { Int($0) }
  }

  /// Adds a line to what the soak tells, if anybody wants to know.
  static func tell(_ line: String) {
    guard let path = ProcessInfo.processInfo.environment["FANFARE_SOAK_LOG"],
      let file = fopen(path, "a")
    else { return }
    // One write, for several may tell at once.
    fputs(line + "\n", file)
    fclose(file)
  }
}
