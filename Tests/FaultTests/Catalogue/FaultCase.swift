import SendingSupport
import TestSupport
import Testing

/// One way to produce a fault, and what must be so afterwards.
struct FaultCase: Sendable {
  /// Where the fault lies.
  enum Origin: Sendable {
    /// In the answers of the case's script, of which there has to be one at least.
    case answers
    /// In settings, files, signals and the like: the case itself has to see that it happened.
    case elsewhere
  }

  private enum Body: Sendable {
    case run(@Sendable (RunBench) throws -> Void)
    case program(@Sendable (ProgramBench) throws -> Void)
  }

  /// What tells it from the other cases of its row; empty for the only one.
  let name: String
  let pass: PassCode
  private let origin: Origin
  private let body: Body

  /// A case with a run in the process.
  static func run(
    _ pass: PassCode, _ name: String = "", fault origin: Origin = .answers,
    _ body: @escaping @Sendable (RunBench) throws -> Void
  ) -> FaultCase {
    FaultCase(name: name, pass: pass, origin: origin, body: .run(body))
  }

  /// A case with the built program.
  static func program(
    _ pass: PassCode, _ name: String = "", fault origin: Origin = .answers,
    _ body: @escaping @Sendable (ProgramBench) throws -> Void
  ) -> FaultCase {
    FaultCase(name: name, pass: pass, origin: origin, body: .program(body))
  }

  /// Lets the fault happen, and proves what its pass code asks for.
  func prove() throws {
    switch body {
    case .run(let body):
      try withTemporaryFolder { try prove(on: RunBench(in: $0), body) }
    case .program(let body):
      try withFanfare { try prove(on: ProgramBench($0), body) }
    }
  }

  private func prove<B: Bench>(on bench: B, _ body: (B) throws -> Void) throws {
    try body(bench)
    if origin == .answers { #expect(bench.books.exposure.answers > 0, "nothing happened") }
    try pass.prove(bench)
    if pass == .atLeastOnce { try expectDoubt(in: bench.books) }
  }

  /// Who puts nothing in doubt proves nothing about what is sent twice.
  private func expectDoubt(in books: Books) throws {
    #expect(try books.last.page.rows.contains(where: \.wasResentInDoubt), "nothing was in doubt")
  }
}
