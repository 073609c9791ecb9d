import Foundation
import HTTP2
import PushEmulator
import Testing

@Suite("The emulator's certificate")
struct CertificateTests {
  private func dial(
    _ host: String = "127.0.0.1", _ change: (inout EmulatorConfiguration) -> Void
  ) throws -> DialError.Layer? {
    var configuration = EmulatorConfiguration()
    change(&configuration)
    let emulator = try Emulator(configuration)
    let roots = try rootsFile(emulator)
    defer { remove(roots) }
    let target = DialTarget(host: host, port: emulator.port, additionalRoots: roots)
    do throws(DialError) {
      _ = try Dialer.dial(target)
      return nil
    } catch {
      return error.layer
    }
  }

  @Test("is good for loopback's names", arguments: ["127.0.0.1", "localhost"])
  func isGood(_ host: String) throws {
    #expect(try dial(host) { _ in } == nil)
  }

  @Test(
    "is refused when it is bad",
    arguments: [
      (CertificateTerms(validUntil: -60), DialError.CertificateFault.expired),
      (CertificateTerms(validFrom: 3600), .notYetValid),
      (CertificateTerms(names: ["api.push.example"]), .wrongName),
      (CertificateTerms(names: ["127.0.0.2"]), .wrongName),
      (CertificateTerms(issuer: .itself), .untrusted),
    ])
  func isRefused(_ terms: CertificateTerms, _ fault: DialError.CertificateFault) throws {
    #expect(try dial { $0.certificate = terms } == .certificate(fault))
  }

  @Test("of another emulator is not trusted")
  func isItsOwn() throws {
    let (first, second) = (try Emulator(), try Emulator())
    let roots = try rootsFile(second)
    defer { remove(roots) }
    let target = DialTarget(host: "127.0.0.1", port: first.port, additionalRoots: roots)
    let error = #expect(throws: DialError.self) { _ = try Dialer.dial(target) }
    #expect(error?.layer == .certificate(.untrusted))
  }

  @Test("without ALPN is no h2 either")
  func answersNoProtocol() throws {
    #expect(try dial { $0.protocols = [] } == .alpn(chosen: nil))
  }

  @Test("comes with ALPN, and an emulator without h2 is refused as such")
  func offersProtocols() throws {
    #expect(try dial { $0.protocols = ["http/1.1"] } == .alpn(chosen: nil))
  }
}
