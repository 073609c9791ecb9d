// What the articles' code finds of swift-log 1, swift-metrics 2 and swift-service-lifecycle 2, as far
// as it uses them, declared as there.

/// swift-log.
struct Logger: Sendable {
  enum Level: Sendable { case debug, info, warning, error }

  struct Message: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) {}
  }

  enum MetadataValue: Sendable, ExpressibleByStringInterpolation {
    case string(String)

    init(stringLiteral value: String) { self = .string(value) }
  }

  typealias Metadata = [String: MetadataValue]

  func log(
    level: Level, _ message: @autoclosure () -> Message,
    metadata: @autoclosure () -> Metadata? = nil
  ) {}

  func debug(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}

  func info(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}

  func warning(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}

  func error(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}
}

/// swift-metrics.
final class Counter {
  init(label: String, dimensions: [(String, String)] = []) {}
  func increment<DataType: BinaryInteger>(by amount: DataType) {}
  func increment() {}
}

/// swift-metrics.
final class Timer {
  init(label: String, dimensions: [(String, String)] = []) {}
  func recordNanoseconds(_ duration: Int64) {}
}

/// swift-service-lifecycle.
protocol Service: Sendable {
  func run() async throws
}

func cancelWhenGracefulShutdown<Result: Sendable>(
  _ operation: @Sendable @escaping () async throws -> Result
) async rethrows -> Result {
  try await operation()
}
