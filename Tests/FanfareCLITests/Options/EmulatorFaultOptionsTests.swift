import PushEmulator
import Testing

@testable import FanfareCLI

@Suite("The emulator's options for bad days")
struct EmulatorFaultOptionsTests {
  private func configuration(
    _ change: (inout EmulatorFaultOptions) throws -> Void
  ) rethrows -> EmulatorConfiguration {
    var options = EmulatorFaultOptions()
    try change(&options)
    var configuration = EmulatorConfiguration()
    options.apply(to: &configuration)
    return configuration
  }

  @Test("change nothing unless they are given")
  func changeNothing() {
    let (plain, made) = (EmulatorConfiguration(), configuration { _ in })
    #expect(made.certificate == plain.certificate && made.protocols == plain.protocols)
    #expect(made.clockOffset == 0 && !made.sendsDate && !made.requiresClientCertificate)
    #expect(made.distance == Distance())
  }

  static let kinds: [(EmulatorCertificate, CertificateTerms)] = [
    (.good, CertificateTerms()), (.expired, CertificateTerms(validUntil: -60)),
    (.notYetValid, CertificateTerms(validFrom: 3600)),
    (.wrongName, CertificateTerms(names: ["elsewhere.invalid"])),
    (.untrusted, CertificateTerms(issuer: .itself)),
  ]

  @Test("choose what is wrong with the certificate", arguments: kinds)
  func chooseCertificate(_ row: (kind: EmulatorCertificate, terms: CertificateTerms)) {
    #expect(configuration { $0.certificate = row.kind }.certificate == row.terms)
  }

  @Test("add names to the certificate's own")
  func addNames() throws {
    let made = try configuration { $0.names = try HostNames(argument: "a.example,b.example") }
    #expect(made.certificate.names == CertificateTerms().names + ["a.example", "b.example"])
  }

  @Test("choose the protocol, the clock and the handshake")
  func chooseTheRest() throws {
    let made = try configuration {
      $0.alpn = .none
      $0.clock = try ClockArgument(argument: "-90m")
      $0.requireCertificate = true
      $0.roundTrip = try RoundTrip(argument: "80ms")
    }
    #expect(
      made.protocols == [] && made.clockOffset == -5400 && made.sendsDate
        && made.requiresClientCertificate && made.distance.roundTripMilliseconds == 80)
    #expect(configuration { $0.alpn = .http1 }.protocols == ["http/1.1"])
  }
}
