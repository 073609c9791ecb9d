internal import Synchronization

/// A script that is being played: the one matcher that all connections ask.
final class ScriptPlay: Sendable {
  private let matcher: Mutex<ScriptMatcher>

  init(_ script: FaultScript) { matcher = Mutex(ScriptMatcher(script)) }

  func answer(_ push: IncomingPush) -> EmulatorAnswer? {
    matcher.withLock { $0.answer(to: push) }
  }
}
