import TestSupport
import Testing

@testable import SendingSupport

/// A row of the fault catalogue.
struct FaultRow: Sendable {
  /// Its number, by which it is cited.
  let number: Int
  /// What goes wrong.
  let fault: String
  /// What fanfare does about it.
  let conduct: String
  /// What proves it; empty when one machine cannot produce the fault.
  let cases: [FaultCase]
  /// Why there is no case; nil when there is.
  let omission: String?

  init(_ number: Int, _ fault: String, _ conduct: String, _ cases: FaultCase...) {
    (self.number, self.fault, self.conduct) = (number, fault, conduct)
    (self.cases, omission) = (cases, nil)
  }

  /// A row without a case.
  init(_ number: Int, _ fault: String, _ conduct: String, omitted reason: String) {
    (self.number, self.fault, self.conduct) = (number, fault, conduct)
    (cases, omission) = ([], reason)
  }
}

/// One way to produce a fault, and what must be so afterwards.
struct FaultCase: Sendable {
  private enum Body: Sendable {
    case run(@Sendable (RunBench) throws -> Void)
    case program(@Sendable (ProgramBench) throws -> Void)
  }

  /// What tells it from the other cases of its row; empty for the only one.
  let name: String
  let pass: PassCode
  private let body: Body

  /// A case with a run in the process.
  static func run(
    _ pass: PassCode, _ name: String = "", _ body: @escaping @Sendable (RunBench) throws -> Void
  ) -> FaultCase {
    FaultCase(name: name, pass: pass, body: .run(body))
  }

  /// A case with the built program.
  static func program(
    _ pass: PassCode, _ name: String = "",
    _ body: @escaping @Sendable (ProgramBench) throws -> Void
  ) -> FaultCase {
    FaultCase(name: name, pass: pass, body: .program(body))
  }

  /// Lets the fault happen, and proves what its pass code asks for.
  func prove() throws {
    switch body {
    case .run(let body):
      try withTemporaryFolder { folder in
        let bench = RunBench(in: folder)
        try body(bench)
        try pass.prove(bench)
      }
    case .program(let body):
      try withFanfare { fanfare in
        let bench = try ProgramBench(fanfare)
        try body(bench)
        try pass.prove(bench)
      }
    }
  }
}
