import APNS
package import HTTP2
package import PushEmulator

/// An emulator with a script and a memory, for runs in the process of the test.
package final class TestServer: Sendable {
  package let emulator: Emulator
  package let witness: Witness
  private let roots: RootsFile

  package convenience init(answer: @escaping @Sendable (Attempt) -> EmulatorAnswer? = { _ in nil })
    throws
  {
    try self.init(configure: { _ in }, answer: answer)
  }

  /// - Parameter witness: what to remember with; several servers may share one.
  package init(
    witness: Witness = Witness(), configure: (inout EmulatorConfiguration) -> Void,
    answer: @escaping @Sendable (Attempt) -> EmulatorAnswer? = { _ in nil }
  ) throws {
    self.witness = witness
    var configuration = witness.configuration(attempts: answer)
    configure(&configuration)
    emulator = try Emulator(configuration)
    roots = try RootsFile(emulator.certificateAuthorityPEM)
  }

  package var target: DialTarget {
    DialTarget(host: "127.0.0.1", port: emulator.port, additionalRoots: roots.path)
  }

  /// How often each device token was answered with 200.
  package var processed: [String: Int] {
    witness.sights.compactMapValues { $0.processed > 0 ? $0.processed : nil }
  }

  /// How many different provider tokens came with pushes that passed the checks.
  package var providerTokens: Int { witness.providerTokens }

  /// The `apns-id` of each attempt at a device token.
  package func ids(of token: Int) -> [String] { witness.sights[tokenText(token)]?.ids ?? [] }
}
