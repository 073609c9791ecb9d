import Foundation
import Testing

/// Every case of the catalogue, by the number of its row.
@Suite("A fault", .timeLimit(.minutes(15)))
struct FaultTests {
  struct Trial: Sendable, CustomTestStringConvertible {
    let row: FaultRow
    let trial: FaultCase

    var testDescription: String {
      let name = trial.name.isEmpty ? "" : ", \(trial.name)"
      return "\(row.number) (\(trial.pass.rawValue)): \(row.fault)\(name)"
    }
  }

  /// `FANFARE_FAULTS=1,70` proves these rows only.
  private static let wanted = ProcessInfo.processInfo.environment["FANFARE_FAULTS"].map {
    $0.split(separator: ",").compactMap { Int($0) }
  }

  static let trials = FaultRow.all.filter { wanted?.contains($0.number) ?? true }.flatMap { row in
    row.cases.map { Trial(row: row, trial: $0) }
  }

  @Test("loses nobody, and both sides' books agree", arguments: trials)
  func proof(_ trial: Trial) throws {
    try trial.trial.prove()
    SoakSetting.tell("case \(trial.row.number)")
  }
}
