import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The first push")
struct FirstPushTests {
  @Test("takes three round trips: the connect, TLS 1.3, and the push with its answer")
  func flights() throws {
    try withFanfare { fanfare in
      let gate = try Gate()
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in
        gate.open()
        return nil
      }
      let server = try Server(fanfare, configuration)
      let proxy = try FlightProxy(to: server.emulator.port, until: gate)
      let words = ["--bundle-id", "com.example.app", "--title", "Hello", "--to", tokenText(1)]
      let place = ["--server", "https://127.0.0.1:\(proxy.port)", "--ca", "ca.pem"]
      let result = try fanfare.run(["send"] + words + place + credentials)
      // A client that hears more before it pushes (SETTINGS, say) gets no answer at all.
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(proxy.flights == 4 && server.emulator.connectionCount == 1)
    }
  }
}
