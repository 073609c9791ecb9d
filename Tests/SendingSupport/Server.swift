package import PushEmulator
package import TestSupport

/// An emulator in the process of the test, which can be asked what arrived.
package struct Server {
  package let emulator: Emulator
  package let fanfare: Fanfare

  package init(_ fanfare: Fanfare, _ configuration: EmulatorConfiguration = .init()) throws {
    emulator = try Emulator(configuration)
    self.fanfare = fanfare
    try fanfare.folder.write("ca.pem", emulator.certificateAuthorityPEM)
  }

  /// The options that lead to it.
  package var place: [String] { ["--server", emulator.url, "--ca", "ca.pem"] }

  /// The words of `fanfare send` to it, signed in, but for the recipients.
  package var words: [String] {
    ["send", "--bundle-id", "com.example.app", "--title", "Hello"] + place + credentials
  }

  /// `fanfare send` to it, signed in.
  package func send(_ words: String...) throws -> Program.Result { try send(words: words) }

  package func send(words: [String]) throws -> Program.Result {
    try fanfare.run(self.words + words)
  }
}
