internal import APNS
internal import HTTP2
internal import PushEmulator

/// The server of a run, ready to be connected to. The emulator runs for as long as this lives.
struct ServerPlace: Sendable {
  /// Where to connect.
  let target: DialTarget
  /// The environment's name.
  let name: String

  private let emulator: RunningEmulator?

  /// - Parameter configuration: how the emulator behaves, if it is the one.
  init(
    _ choice: ServerChoice, _ context: Context,
    emulator configuration: EmulatorConfiguration = .init()
  ) throws(Failure) {
    name = choice.environment.name
    try KeyLog.check(choice, context)
    KeyLog.warn(choice, context)
    if let roots = choice.roots { try Self.look(at: roots) }
    var configuration = configuration
    configuration.isSandbox = !choice.emulatesProduction
    let emulator =
      choice.environment == .emulator ? try RunningEmulator(configuration, context) : nil
    let address =
      choice.environment.address ?? ServerAddress(host: "127.0.0.1", port: emulator?.port ?? 0)
    target = DialTarget(
      host: address.host, port: address.port, proxy: choice.proxy,
      additionalRoots: emulator?.rootsPath ?? choice.roots, allowsKeyLog: choice.allowsKeyLog)
    self.emulator = emulator
  }

  /// A file that is not there should not cost a connection, nor earlier results.
  private static func look(at roots: String) throws(Failure) {
    do throws(FileFailure) {
      _ = try readFile(roots, for: "certificate", limit: 1 << 24)
    } catch {
      throw .file(error, .connection)
    }
  }
}

/// An emulator in this process, and the file that holds the certificate to trust.
final class RunningEmulator: Sendable {
  private let emulator: Emulator
  private let roots: TemporaryFile

  init(_ configuration: EmulatorConfiguration, _ context: Context) throws(Failure) {
    do {
      emulator = try Emulator(configuration)
      roots = try TemporaryFile(
        Array(emulator.certificateAuthorityPEM.utf8), name: "fanfare-ca",
        folder: context.temporaryFolder)
    } catch let error as EmulatorError {
      throw .emulator(error)
    } catch let error as FileFailure {
      throw .file(error)
    } catch {
      throw .emulator(.outOfDescriptors)
    }
  }

  deinit { emulator.stop() }

  /// The port it listens on.
  var port: UInt16 { emulator.port }

  /// The port of its control channel; nil when it has none.
  var controlPort: UInt16? { emulator.controlPort }

  /// `https://127.0.0.1:PORT`
  var url: String { emulator.url }

  /// The path of the file with the certificate to trust.
  var rootsPath: String { roots.path }

  /// Closes the port and every connection, and completes the journal.
  func stop() { emulator.stop() }

  /// The `errno` of the first write to the journal that failed; nil when none did.
  var journalFailure: Int32? { emulator.journalFailure }
}
