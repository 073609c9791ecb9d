internal import Credentials
public import Fanfare
internal import HTTP2
internal import Synchronization

extension LocalAPNs {
  /// The clock of a client, which a test moves on: by it the client replaces its provider token, and
  /// waits. A waiting client notices with its next push.
  public final class ClientClock: Sendable {
    private let milliseconds = Atomic<Int64>(0)

    /// Creates a clock that shows the system's time.
    public init() {}

    /// Moves it on, a day at most with each call; never back.
    public func advance(by duration: Duration) {
      milliseconds.add(Int64(duration.milliseconds), ordering: .relaxed)
    }

    var clock: RunClock {
      let system = RunClock.system
      var clock = system
      clock.monotonic = { [self] in system.monotonic() + UInt64(ahead) * 1_000_000 }
      clock.epochMilliseconds = { [self] in system.epochMilliseconds() + ahead }
      return clock
    }

    private var ahead: Int64 { milliseconds.load(ordering: .relaxed) }
  }

  /// Creates a client of this server, with a clock that the test moves on.
  ///
  /// - Parameters:
  ///   - clock: the client's clock.
  ///   - options: limits and time-outs.
  ///   - events: receives events, as with the initializer of the client.
  public func client(
    clock: ClientClock, options: PushClient.Options = .init(),
    events: (@Sendable (PushClient.Event) -> Void)? = nil
  ) -> PushClient {
    let clock = clock.clock
    let credentials = (try? key.credentials(clock)) ?? key.credentials
    return PushClient(credentials, environment, options, clock: clock, events: events)
  }
}

extension LocalAPNs.Key {
  /// The credentials by a clock.
  fileprivate func credentials(_ clock: RunClock) throws -> PushClient.Credentials {
    let source = ProviderTokenSource(
      key: try SigningKey(contents: SecretBytes(pem)), keyID: try KeyID(keyID),
      teamID: try TeamID(teamID)
    ) { clock.epochSeconds }
    return PushClient.Credentials(push: .tokens(source))
  }
}
