import HTTP2
import PushEmulator
import Testing

/// What h2spec asks of a server, and more of the kind. One case after the other: they wait for a
/// socket, and other tests want the threads.
@Suite("An emulator whose client breaks HTTP/2", .serialized, .timeLimit(.minutes(15)))
struct HygieneTests {
  /// One for all cases: each has to leave it in working order.
  private static let emulator = Result {
    var configuration = EmulatorConfiguration()
    configuration.initialStreamLimit = 100
    return try Emulator(configuration)
  }

  @Test("bears frames of the wrong form", arguments: HygieneCase.frames)
  func frames(_ attack: HygieneCase) throws { try check(attack) }

  @Test("bears frames that steer badly", arguments: HygieneCase.control)
  func control(_ attack: HygieneCase) throws { try check(attack) }

  @Test("bears frames in the wrong state of a stream", arguments: HygieneCase.streams)
  func streams(_ attack: HygieneCase) throws { try check(attack) }

  @Test("bears malformed requests", arguments: HygieneCase.requests)
  func requests(_ attack: HygieneCase) throws { try check(attack) }

  @Test("bears floods", arguments: HygieneCase.floods)
  func floods(_ attack: HygieneCase) throws { try check(attack) }

  private func check(_ attack: HygieneCase) throws {
    let emulator = try Self.emulator.get()
    let observed = try attack.observed(at: emulator)
    #expect(observed == attack.verdict || observed == attack.newVerdict)
    #expect(try TestClient(emulator).send(RequestSample()).end == .answered)
  }
}
