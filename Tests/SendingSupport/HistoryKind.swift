import TestSupport
package import Testing

/// The databases that a history can be in.
package enum HistoryKind: String, CaseIterable, Sendable {
  case sqlite = "SQLite"
  case postgreSQL = "PostgreSQL"

  /// The one that the test runs over.
  @TaskLocal package static var current = HistoryKind.sqlite

  /// Those that tests can run over on this machine.
  static var installed: [HistoryKind] { hasPostgreSQL ? allCases : [.sqlite] }
}

/// Runs each test of a suite, and each of its cases, over every kind of history. Where there is no
/// PostgreSQL they run over SQLite alone, and `HistoryKindTests` is skipped, which says so.
package struct AllHistories: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package init() {}

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for kind in HistoryKind.installed {
      try await HistoryKind.$current.withValue(kind) {
        try await naming(kind).provideScope(for: test, testCase: testCase) {
          do {
            try await function()
          } catch is ExpectationFailedError {
            // It is recorded already.
          } catch {
            Issue.record(error, sourceLocation: test.sourceLocation)
          }
        }
      }
    }
  }

  /// Lets each failure say what it was over.
  private func naming(_ kind: HistoryKind) -> IssueHandlingTrait {
    .compactMapIssues { issue in
      var issue = issue
      issue.comments.append("over a history in \(kind.rawValue)")
      return issue
    }
  }
}

extension Trait where Self == AllHistories {
  /// The tests run over histories of every kind, and take theirs from a `HistoryReference`.
  package static var overAllHistories: Self { AllHistories() }
}

/// Leaves a test out that is about one kind of history alone.
package struct OneHistory: TestTrait, TestScoping {
  let kind: HistoryKind

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if HistoryKind.current == kind { try await function() }
  }
}

extension Trait where Self == OneHistory {
  /// Of a suite over all histories, the test runs over this one alone.
  package static func only(_ kind: HistoryKind) -> Self { OneHistory(kind: kind) }
}
