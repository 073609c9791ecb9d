public import Fanfare
internal import POSIX
internal import PushEmulator

/// A strict APNs on this machine, in the process of the tests.
///
/// It judges requests as APNs does, keeps what it receives, and fails on purpose when asked to. It
/// listens on 127.0.0.1, usually on a port of its own, from `init` until ``close()``; when the last
/// reference is gone, its threads and sockets end by themselves. No call blocks the thread it is
/// made on.
public final class LocalAPNs: Sendable {
  /// Limits and the keys that are good.
  public struct Options: Sendable {
    /// It stands for the sandbox; false for production.
    public var isSandbox = true

    /// The port, which must be free; 0 lets the system choose one.
    public var port: UInt16 = 0

    /// The signing keys whose provider tokens are accepted; ``credentials`` use the first. When
    /// there are none, any well-formed, current provider token is accepted, as of the app's own key.
    public var keys: [Key] = []

    /// The number of pushes kept in ``received``; older ones are dropped.
    public var keeps = 100_000

    /// Creates the defaults.
    public init() {}
  }

  /// The URL: `https://127.0.0.1:PORT`.
  public let url: String

  /// The certificate to trust, in PEM. It is made at the start, and its key never leaves memory.
  public let certificateAuthority: String

  /// The path of a temporary file with that certificate, for any client. It is gone after
  /// ``close()``.
  public let certificateAuthorityFile: String

  /// The environment for a `PushClient`.
  public let environment: PushClient.Environment

  /// The key behind ``credentials``.
  public let key: Key

  let emulator: Emulator
  /// The environment that it stands for.
  let service: EmulatorEnvironment
  let inbox: ReceivedPushes
  let reading = Reading()

  /// Starts a server. It is listening when this returns.
  ///
  /// - Throws: ``StartError``.
  public init(_ options: Options = Options()) async throws(StartError) {
    let (emulator, key, file) = try await onThread { Self.started(options) }.get()
    (self.emulator, self.key, certificateAuthorityFile) = (emulator, key, file)
    (url, certificateAuthority) = (emulator.url, emulator.certificateAuthorityPEM)
    service = options.isSandbox ? .sandbox : .production
    inbox = emulator.received ?? ReceivedPushes(keeping: 1)
    do {
      environment = try .server(emulator.url, roots: file)
    } catch {
      throw StartError(description: "\(error)")
    }
  }

  deinit { stop {} }

  /// Credentials that it accepts, with a key made at the start.
  public var credentials: PushClient.Credentials { key.credentials }

  /// Ends its connections, and returns when its threads and sockets are gone. What it received can
  /// still be read.
  public func close() async {
    await withCheckedContinuation { waiter in stop { waiter.resume() } }
  }

  /// Forgets what it received and everything it was told: devices, faults, channels and the clock.
  /// Connections stay open.
  public func reset() {
    emulator.play(FaultScript())
    emulator.changeDevices { $0 = .any }
    emulator.replaceChannels(by: [])
    clockOffset = .zero
    inbox.clear()
  }
}

extension LocalAPNs {
  /// The reason a server did not start.
  public struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in one sentence.
    public let description: String
  }

  private static func started(
    _ options: Options
  ) -> Result<(Emulator, Key, String), StartError> {
    var configuration = EmulatorConfiguration()
    configuration.isSandbox = options.isSandbox
    configuration.port = options.port
    configuration.keeps = options.keeps
    configuration.devices = .any
    do {
      configuration.trustedKeys = try options.keys.map { try $0.trusted() }
      let key = try options.keys.first ?? Key()
      let emulator = try Emulator(configuration)
      return .success((emulator, key, try temporaryFile(emulator.certificateAuthorityPEM)))
    } catch {
      return .failure(StartError(description: "The local APNs did not start: \(error)."))
    }
  }

  /// Stops the server on a thread of its own, since its threads are waited for.
  private func stop(_ done: @escaping @Sendable () -> Void) {
    let (emulator, file) = (emulator, certificateAuthorityFile)
    let work: @Sendable () -> Void = {
      emulator.stop()
      unlink(file)
      done()
    }
    if !Thread.start(work) { work() }
  }
}

/// Does blocking work on a thread of its own.
private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { waiter in
    let isStarted = Thread.start { waiter.resume(returning: work()) }
    if !isStarted { waiter.resume(returning: work()) }
  }
}

/// Writes a file with a name of its own into the folder of temporary files.
private func temporaryFile(_ text: String) throws(LocalAPNs.StartError) -> String {
  let folder = ProcessFacts.environment["TMPDIR"] ?? "/tmp"
  var path = Array("\(folder)/fanfare-testing-XXXXXX".utf8CString)
  let descriptor = mkstemp(&path)
  guard descriptor >= 0 else {
    throw .init(description: "no file can be made in \(folder), errno \(errno)")
  }
  defer { close(descriptor) }
  let bytes = Array(text.utf8)
  guard write(descriptor, bytes, bytes.count) == bytes.count else {
    throw .init(description: "no file can be written in \(folder), errno \(errno)")
  }
  return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
