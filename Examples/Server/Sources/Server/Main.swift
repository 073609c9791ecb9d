import Dispatch
import Fanfare
import Foundation
import Orders

/// Sends a push for each line of standard input, until it ends or SIGTERM comes.
///
///     APNS_KEY=AuthKey_ABC123DEFG.p8 APNS_TEAM_ID=DEF123GHIJ APNS_BUNDLE_ID=com.example.shop swift run Server
///
/// APNS_SERVER and APNS_ROOTS name another server than Apple's sandbox, and what it is trusted by.
@main
struct Server {
  static func main() async {
    do {
      try await run()
    } catch {
      log("orders: \(error)")
      exit(1)
    }
  }

  private static func run() async throws {
    let client = PushClient(
      credentials: try .signingKey(
        file: variable("APNS_KEY"), keyID: ProcessInfo.processInfo.environment["APNS_KEY_ID"],
        teamID: variable("APNS_TEAM_ID")),
      environment: try environment()
    ) { event in
      if case .stopped(let obstacle, let topic) = event { log("\(topic ?? "all"): \(obstacle)") }
    }
    let notifier = OrderNotifier(client, bundleID: try variable("APNS_BUNDLE_ID"))
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let termination = onTermination { continuation.finish() }
    readLines(into: continuation)
    await serve(lines, notifier) { print($0) }
    await client.close()
    termination.cancel()
  }

  private static func environment() throws -> PushClient.Environment {
    let variables = ProcessInfo.processInfo.environment
    guard let server = variables["APNS_SERVER"] else { return .sandbox }
    return try .server(server, roots: variables["APNS_ROOTS"])
  }

  private static func variable(_ name: String) throws -> String {
    guard let value = ProcessInfo.processInfo.environment[name] else {
      throw MissingVariable(description: "\(name) is not set.")
    }
    return value
  }

  /// Reads the lines of standard input on a thread of its own.
  private static func readLines(into lines: AsyncStream<String>.Continuation) {
    Thread.detachNewThread {
      while let line = readLine() { lines.yield(line) }
      lines.finish()
    }
  }

  /// Calls a function on SIGTERM, as long as the source is kept.
  private static func onTermination(
    _ call: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source.setEventHandler(handler: call)
    source.resume()
    return source
  }

  private static func log(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

struct MissingVariable: Error, CustomStringConvertible {
  let description: String
}
