import APNS
import HTTP2
import PushEmulator
import Testing

@Suite("An emulator at a distance")
struct DistanceTests {
  private func server(
    _ distance: Distance, answers: [Int: EmulatorAnswer] = [:]
  ) throws -> FaultyServer {
    try FaultyServer(answers) {
      $0.distance = distance
      $0.uptime = EmulatorConfiguration().uptime
    }
  }

  @Test("answers a first push no sooner than after three round trips")
  func threeRoundTrips() throws {
    let server = try server(Distance(roundTripMilliseconds: 40))
    let start = ContinuousClock.now
    #expect(try server.answer().status == 200)
    // Its clock counts whole milliseconds.
    #expect(start.duration(to: .now) >= .milliseconds(115))
  }

  @Test("carries whole answers over a narrow line that stalls")
  func carriesAll() throws {
    let stalls = Distance.Stalls(everyMilliseconds: 40, milliseconds: 20)
    let distance = Distance(
      roundTripMilliseconds: 4, bitsPerSecond: 20_000_000, stalls: stalls)
    let answer = EmulatorAnswer.custom(
      CustomAnswer(body: .bytes([UInt8](repeating: 7, count: 50_000), contentType: nil)))
    let server = try server(
      distance, answers: Dictionary(uniqueKeysWithValues: (2...9).map { ($0, answer) }))
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    let answers = try client.send([RequestSample](repeating: server.sample, count: 8))
    #expect(answers.allSatisfy { $0.status == 200 && $0.body.count == Exchange.bodyLimit })
  }

  static let drops: [Drop] = [.rst, .fin, .closeNotify]

  @Test("ends connections as without a distance", arguments: drops)
  func ends(_ drop: Drop) throws {
    let server = try server(Distance(roundTripMilliseconds: 10), answers: [2: .drop(drop)])
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    _ = try client.begin(server.sample)
    try client.run { false }
    #expect(client.isClosed)
    #expect(try server.answer().status == 200)
  }

  @Test("stops at once, whatever is on its way")
  func stops() throws {
    let server = try server(Distance(roundTripMilliseconds: 20))
    let client = try server.client()
    #expect(try client.send(server.sample).status == 200)
    server.emulator.stop()
    try client.run { false }
    #expect(client.isClosed)
  }

  @Test("takes the distance of a script from the next connection on, until another one is played")
  func script() throws {
    let server = try FaultyServer { $0.uptime = EmulatorConfiguration().uptime }
    server.emulator.play(try script(#"{connections: {roundTrip: "20ms"}}"#))
    let start = ContinuousClock.now
    #expect(try server.answer().status == 200)
    #expect(start.duration(to: .now) >= .milliseconds(55))
    server.emulator.play(try script("{}"))
    #expect(try server.answer().status == 200)
  }

  private func script(_ text: String) throws -> FaultScript {
    try FaultScript(Array(text.utf8), file: "day.json5")
  }
}
