import APNS
import Testing

@Suite("Addresses of servers")
struct ServerAddressTests {
  @Test(
    "A URL of host and port is read",
    arguments: [
      ("https://example.com", "example.com", 443, "https://example.com"),
      ("https://example.com/", "example.com", 443, "https://example.com"),
      ("HTTPS://a_b-c.example:8443", "a_b-c.example", 8443, "https://a_b-c.example:8443"),
      ("https://127.0.0.1:2197/", "127.0.0.1", 2197, "https://127.0.0.1:2197"),
      ("https://[::1]:65535", "::1", 65535, "https://[::1]:65535"),
      ("https://[2001:DB8::1]", "2001:DB8::1", 443, "https://[2001:DB8::1]"),
      ("https://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1", 443, "https://[::ffff:127.0.0.1]"),
      ("https://host:443", "host", 443, "https://host"),
    ])
  func good(_ url: String, _ host: String, _ port: UInt16, _ description: String) throws {
    let address = try ServerAddress(url: url)
    #expect(address == ServerAddress(host: host, port: port))
    #expect(address.description == description)
    #expect(try ServerAddress(url: description) == address)
  }

  @Test(
    "Anything else is refused, and the error says why",
    arguments: [
      ("", ServerAddressError.noScheme),
      ("example.com", .noScheme),
      ("example.com:443", .noScheme),
      ("http://example.com", .notHTTPS("http")),
      ("://example.com", .notHTTPS("")),
      ("https://example.com/3/device", .notOnlyHost),
      ("https://example.com//", .notOnlyHost),
      ("https://example.com?x", .notOnlyHost),
      ("https://example.com#x", .notOnlyHost),
      ("https://me:secret@example.com", .notOnlyHost),
      ("https://", .badHost("")),
      ("https://:443", .badHost("")),
      ("https://ex ample", .badHost("ex ample")),
      ("https://exämple", .badHost("exämple")),
      ("https://host\r\nx", .badHost("host\r\nx")),
      ("https://[example]", .badHost("example")),
      ("https://[]", .badHost("")),
      ("https://[::1", .badHost("[")),
      ("https://::1", .badHost("")),
      ("https://host:1:2", .badPort),
      ("https://host:", .badPort),
      ("https://host:0", .badPort),
      ("https://host:65536", .badPort),
      ("https://host:+443", .badPort),
      ("https://host:-1", .badPort),
      ("https://host:٣", .badPort),
      ("https://[::1]443", .badPort),
    ])
  func bad(_ url: String, _ error: ServerAddressError) {
    #expect(throws: error) { try ServerAddress(url: url) }
  }

  @Test("The named environments are Apple's hosts, and the emulator has none until it runs")
  func environments() {
    #expect(PushEnvironment.production.address?.host == "api.push.apple.com")
    #expect(PushEnvironment.sandbox.address?.host == "api.sandbox.push.apple.com")
    #expect(PushEnvironment.emulator.address == nil)
    #expect(PushEnvironment.named.map(\.name) == ["production", "sandbox", "emulator"])
  }
}
