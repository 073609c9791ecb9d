import PushEmulator
import TestSupport

/// An emulator in the process of the test, which can be asked what arrived.
struct Server {
  let emulator: Emulator
  let fanfare: Fanfare

  init(_ fanfare: Fanfare, _ configuration: EmulatorConfiguration = .init()) throws {
    emulator = try Emulator(configuration)
    self.fanfare = fanfare
    try fanfare.folder.write("ca.pem", emulator.certificateAuthorityPEM)
  }

  /// The options that lead to it.
  var place: [String] { ["--server", emulator.url, "--ca", "ca.pem"] }

  /// The words of `fanfare send` to it, signed in, but for the recipients.
  var words: [String] {
    ["send", "--bundle-id", "com.example.app", "--title", "Hello"] + place + credentials
  }

  /// `fanfare send` to it, signed in.
  func send(_ words: String...) throws -> Program.Result { try send(words: words) }

  func send(words: [String]) throws -> Program.Result {
    try fanfare.run(self.words + words)
  }
}
