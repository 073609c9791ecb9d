import Foundation
import PushEmulator
import SendingSupport
import TestSupport
import Testing

/// Another program that writes the same history at the same time. Its server lets it wait half way
/// until it is told to go on.
final class Neighbour: Sendable {
  private static let count = 6000

  private let witness: Witness
  private let gate: Gate
  private let emulator: Emulator
  private let program: Program

  /// Where the program waits, and who waits until it does.
  private final class Gate: Sendable {
    let arrived = DispatchSemaphore(value: 0)
    let opened = DispatchSemaphore(value: 0)

    func hold(_ attempt: Attempt) {
      guard attempt.push.number == Neighbour.count / 2 else { return }
      arrived.signal()
      _ = opened.wait(timeout: .now() + 60)
    }
  }

  /// Starts it, and waits until it is half way.
  init(_ fanfare: Fanfare) throws {
    let (witness, gate) = (Witness(), Gate())
    let configuration = witness.configuration(attempts: { attempt in
      gate.hold(attempt)
      return nil
    })
    let folder = fanfare.folder
    let emulator = try Emulator(configuration)
    try folder.write("neighbour.pem", emulator.certificateAuthorityPEM)
    try folder.write("neighbour.txt", tokenList(Self.count))
    let words = [
      "send", "--title", "Hi", "--tokens", "neighbour.txt", "--connections", "1", "--server",
      emulator.url, "--ca", "neighbour.pem", "--bundle-id", "com.example.shop",
    ]
    (self.witness, self.gate, self.emulator) = (witness, gate, emulator)
    program = try fanfare.start(words + credentials)
    #expect(gate.arrived.wait(timeout: .now() + 60) == .success)
  }

  /// Lets it send the rest.
  func goOn() { gate.opened.signal() }

  /// It got through, and nobody was left out or sent to twice.
  func expectEnd() throws {
    let result = try program.finish()
    #expect(result.exitCode == 0, "\(result.errors)")
    let sights = witness.sights
    #expect(sights.count == Self.count && sights.values.allSatisfy { $0.processed == 1 })
  }
}
