import COpenSSL
import Foundation
import Testing

@testable import HTTP2

@Suite("What is known of a link", .timeLimit(.minutes(15)))
struct TLSConnectionFactsTests {
  private func facts(version: Int32, _ leaf: TestCertificate, _ authority: TestCertificate) throws
    -> TLSConnectionFacts
  {
    let tls = try ServerTLS(certificates: [leaf.der], key: leaf.key)
    fanfare_ssl_ctx_set_max_proto_version(tls.context, version)
    let server = try LoopbackServer(tls)
    let roots = try TemporaryFile(authority.pem)
    let target = DialTarget(
      host: "localhost", port: server.port, addressFamily: .v4, additionalRoots: roots.path)
    let link = try Dialer.dial(target)
    #expect(link.facts.remotePort == server.port)
    return link.facts
  }

  @Test(
    "is where it goes and how it is locked",
    arguments: [(TLS1_2_VERSION, "TLSv1.2", "ECDHE-"), (TLS1_3_VERSION, "TLSv1.3", "TLS_")])
  func connection(version: Int32, name: String, cipher: String) throws {
    let authority = try TestCertificate(for: nil)
    let leaf = try TestCertificate(for: "localhost", issuer: authority)
    let facts = try facts(version: version, leaf, authority)
    #expect(facts.remoteAddress == "127.0.0.1")
    #expect(!facts.wentThroughProxy && !facts.asksForIdentity)
    #expect(facts.tlsVersion == name && facts.cipher.hasPrefix(cipher))
  }

  @Test("is the chain from the server's certificate to the root that is trusted")
  func chain() throws {
    let authority = try TestCertificate(for: nil)
    let leaf = try TestCertificate(for: "localhost", days: -3...5, issuer: authority)
    let chain = try facts(version: TLS1_3_VERSION, leaf, authority).chain
    #expect(chain.map(\.commonName) == ["localhost", "Test authority"])
    #expect(chain.map(\.subject) == ["CN = localhost", "CN = Test authority"])
    #expect(chain.map(\.issuer) == ["CN = Test authority", "CN = Test authority"])
    #expect(chain.map(\.issuerCommonName) == ["Test authority", "Test authority"])
    let now = Int64(Date.now.timeIntervalSince1970)
    #expect(abs(try #require(chain.first).notBefore - (now - 3 * 86_400)) < 600)
    #expect(abs(try #require(chain.first).notAfter - (now + 5 * 86_400)) < 600)
    #expect(chain.map(\.sha256) == [leaf, authority].map { digest($0.der) })
  }

  private func digest(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256(bytes, bytes.count, &digest)
    return digest
  }
}
