import Foundation
import Testing

@testable import HTTP2

@Suite("Looking a host up", .timeLimit(.minutes(15)))
struct HostLookupTests {
  @Test(
    "takes a numeric address for itself",
    arguments: [("127.0.0.1", AddressFamily.v4), ("::1", .v6), ("2620:149::4", .v6)])
  func numeric(text: String, family: AddressFamily) throws {
    let found = try HostLookup.addresses(of: text)
    #expect(found == [try #require(HostAddress(text))])
    #expect(found.map(\.text) == [text] && found.map(\.family) == [family])
  }

  @Test("finds each address of a name once")
  func name() throws {
    let found = try HostLookup.addresses(of: "localhost")
    #expect(found.contains { $0.text == "127.0.0.1" || $0.text == "::1" })
    #expect(Set(found).count == found.count)
  }

  @Test("says why there is none", arguments: ["nothing.invalid", "no name"])
  func unknown(host: String) {
    let failure = #expect(throws: HostLookup.Failure.self) {
      try HostLookup.addresses(of: host)
    }
    #expect(failure?.message.isEmpty == false)
  }

  @Test("takes no name for a numeric address", arguments: ["localhost", "", "1.2.3.4.5", "[::1]"])
  func noAddress(text: String) { #expect(HostAddress(text) == nil) }
}

@Suite("Probing an address", .timeLimit(.minutes(15)))
struct TCPProbeTests {
  static let addresses = ["127.0.0.1", "::1"].filter {
    $0 == "127.0.0.1" || (try? Listener(family: .v6)) != nil
  }

  @Test("tells how long the connection took", arguments: addresses)
  func answers(text: String) throws {
    let address = try #require(HostAddress(text))
    let listener = try Listener(family: address.family)
    let (clock, patience) = (ContinuousClock(), 600_000)
    var took = -1
    let whole = try clock.measure {
      took = try TCPProbe.connect(address, port: listener.port, milliseconds: patience)
    }
    #expect(took >= 0 && .milliseconds(took) <= whole)
  }

  @Test("tells a refusal", arguments: addresses)
  func refused(text: String) throws {
    let address = try #require(HostAddress(text))
    let port = try Listener(family: address.family).port
    #expect(throws: TCPProbe.Failure.system(ECONNREFUSED)) {
      try TCPProbe.connect(address, port: port, milliseconds: 10_000)
    }
  }

  @Test("does not wait for an address that never answers")
  func silent() throws {
    // No system has such an address for sure. To who waits, a socket that is full is the same.
    let full = try #require(PlainSocket.full())
    defer { full.forEach { $0.close() } }
    let clock = ContinuousClock()
    #expect(throws: TCPProbe.Failure.timedOut) {
      try TCPProbe.finish(full[0].descriptor, by: clock.now + .milliseconds(20), clock)
    }
  }
}
