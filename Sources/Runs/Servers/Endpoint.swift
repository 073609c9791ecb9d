internal import APNS
package import HTTP2
package import PushEmulator
package import Reporting
package import Settings

/// The target of a run's connections. It keeps an emulator in this process running.
package struct Endpoint: Sendable {
  package let target: DialTarget
  private let emulator: RunningEmulator?

  /// - Parameter configuration: the emulator's behavior, if the server is one.
  package init(
    _ choice: ServerChoice, _ context: Context,
    emulator configuration: EmulatorConfiguration = .init()
  ) throws(Failure) {
    try KeyLog.check(choice, context)
    KeyLog.warn(choice, context)
    if let roots = choice.roots {
      // A missing file is reported before a connection is made or earlier results are overwritten.
      _ = try attempt(try readFile(roots, for: "CA", limit: 1 << 24)) { .file($0) }
    }
    var configuration = configuration
    configuration.isSandbox = !choice.emulatesProduction
    emulator = choice.environment == .emulator ? try RunningEmulator(configuration, context) : nil
    target = choice.target(of: emulator)
  }
}

extension ServerChoice {
  /// The target of connections.
  ///
  /// - Parameter emulator: the emulator in this process; nil for none, or none yet.
  func target(of emulator: RunningEmulator? = nil) -> DialTarget {
    let address = address ?? ServerAddress(host: "127.0.0.1", port: emulator?.port ?? 0)
    return DialTarget(
      host: address.host, port: address.port, proxy: proxy,
      additionalRoots: emulator?.rootsPath ?? roots, allowsKeyLog: allowsKeyLog)
  }
}

/// An emulator in this process, and the file with its certificate.
@dynamicMemberLookup
package final class RunningEmulator: Sendable {
  package let emulator: Emulator
  /// The file with the certificate to trust.
  package let rootsPath: String
  private let temporary: TemporaryFile?

  /// - Parameter roots: the file for the certificate to trust; nil uses a temporary one.
  package init(
    _ configuration: EmulatorConfiguration, roots: String? = nil, _ context: Context
  ) throws(Failure) {
    let emulator = try attempt(try Emulator(configuration)) { .emulator($0) }
    self.emulator = emulator
    if let roots {
      (rootsPath, temporary) = (roots, nil)
      return
    }
    let file = try attempt(
      try TemporaryFile(
        Array(emulator.certificateAuthorityPEM.utf8), name: "fanfare-ca",
        folder: context.temporaryFolder)
    ) { .file($0) }
    (rootsPath, temporary) = (file.path, file)
  }

  deinit { emulator.stop() }

  /// Its ports, URL and journal.
  package subscript<Value>(dynamicMember path: KeyPath<Emulator, Value>) -> Value {
    emulator[keyPath: path]
  }

  /// Closes the port and every connection, and completes the journal.
  package func stop() { emulator.stop() }
}
