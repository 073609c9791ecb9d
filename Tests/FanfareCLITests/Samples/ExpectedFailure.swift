import Reporting
import Testing

/// Expects a failure whose sentence has this part; unless an exit code is given, it is that of a
/// command line that cannot be used.
func expectFailure<Value>(
  _ part: String, _ exitCode: ExitCode = .usage, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Value
) {
  let failure = #expect(throws: Failure.self, sourceLocation: sourceLocation) { _ = try body() }
  #expect(
    failure?.sentence.contains(part) ?? false, "\(failure?.sentence ?? "")",
    sourceLocation: sourceLocation)
  #expect(failure?.exitCode == exitCode, sourceLocation: sourceLocation)
}
