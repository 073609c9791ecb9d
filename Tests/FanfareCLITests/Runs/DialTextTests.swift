import PlainText
import Reporting
import Testing

@testable import HTTP2

@Suite("A failed connection")
struct DialTextTests {
  /// Text from outside that would colour a terminal and fake a line.
  static let hostile = "x\u{1b}[31m\r\nfanfare: ok\u{202e}"

  static let layers: [DialError.Layer] = [
    .library, .roots, .dns, .tcp, .timeout, .proxy(.url), .proxy(.dns), .proxy(.unreachable),
    .proxy(.loginMissing), .proxy(.loginRefused), .proxy(.loginScheme(["NTLM"])), .proxy(.refused),
    .tls, .certificate(.untrusted),
    .certificate(.other), .alpn(chosen: hostile), .alpn(chosen: nil), .identity(nil),
    .identity(.certificateExpired), .identity(.certificateRequired),
    .identity(TLSAlert(rawValue: 200)),
  ]

  private func error(_ layer: DialError.Layer, proxy: ProxySetting? = nil) -> DialError {
    let presented = PeerCertificate(
      subject: Self.hostile, commonName: nil, issuer: Self.hostile,
      issuerCommonName: "Snooping CA" + Self.hostile, notBefore: 0, notAfter: 0, sha256: [])
    return DialError(
      layer: layer, detail: Self.hostile, target: DialTarget(host: "a.example", proxy: proxy),
      presented: presented)
  }

  @Test("is told in one line, and in another what to do", arguments: layers)
  func sentences(_ layer: DialError.Layer) {
    let error = error(layer, proxy: ProxySetting(url: "http://me:secret@p:1", origin: Self.hostile))
    for text in [error.sentence, error.fix] {
      #expect(text.printable == text && text.hasSuffix(text == error.fix ? "" : "."))
      #expect(!text.contains("secret"))
    }
  }

  @Test(
    "within a time tells how long that was",
    arguments: [(30_000, "30 s"), (1, "1 ms"), (1500, "1,500 ms")])
  func time(_ row: (milliseconds: Int, text: String)) {
    let target = DialTarget(host: "a.example", timeoutMilliseconds: row.milliseconds)
    let error = DialError(layer: .timeout, detail: "", target: target)
    #expect(error.sentence == "No connection to a.example within \(row.text).")
  }

  @Test("for want of a client certificate asks for one, and does not find fault with it")
  func missingIdentity() {
    for alert in [TLSAlert.certificateRequired, .handshakeFailure] {
      #expect(error(.identity(alert)).fix.contains("--cert"))
    }
    #expect(!error(.identity(.unknownAuthority)).fix.contains("--cert"))
  }

  @Test("names the proxy and where it was named, unless the host is an exception")
  func proxy() {
    var proxy = ProxySetting(url: "http://me:secret@p:1", origin: "https_proxy")
    for layer in [
      DialError.Layer.proxy(.refused), .proxy(.dns), .proxy(.unreachable), .tcp, .timeout, .tls,
      .certificate(.expired),
    ] {
      #expect(error(layer, proxy: proxy).sentence.contains("http://p:1 (from https_proxy)"))
    }
    #expect(error(.proxy(.refused), proxy: proxy).fix.contains("https_proxy"))
    proxy.exceptions = "example"
    #expect(!error(.tcp, proxy: proxy).sentence.contains("p:1"))
  }

  @Test(
    "speaks of Apple's ports only where they are meant",
    arguments: [(443, true), (2197, true), (18_444, false)])
  func port(_ row: (port: UInt16, isApples: Bool)) {
    let error = DialError(
      layer: .tcp, detail: "", target: DialTarget(host: "a.example", port: row.port))
    #expect(error.fix.contains("2197") == row.isApples)
  }

  @Test("names who signed a certificate that nobody trusts")
  func interception() {
    #expect(error(.certificate(.untrusted)).sentence.contains("'Snooping CA"))
    #expect(!error(.certificate(.expired)).sentence.contains("Snooping CA"))
  }

  @Test("names the alert that refuses the client certificate")
  func alert() {
    #expect(error(.identity(.certificateRevoked)).sentence.contains("certificate_revoked"))
  }
}
