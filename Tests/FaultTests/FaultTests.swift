import Testing

/// Every case of the catalogue, by the number of its row.
@Suite("A fault", .timeLimit(.minutes(5)))
struct FaultTests {
  struct Trial: Sendable, CustomTestStringConvertible {
    let row: FaultRow
    let trial: FaultCase

    var testDescription: String {
      let name = trial.name.isEmpty ? "" : ", \(trial.name)"
      return "\(row.number) (\(trial.pass.rawValue)): \(row.fault)\(name)"
    }
  }

  static let trials = FaultRow.all.flatMap { row in
    row.cases.map { Trial(row: row, trial: $0) }
  }

  @Test("loses nobody, and both sides' books agree", arguments: trials)
  func proof(_ trial: Trial) throws { try trial.trial.prove() }
}
