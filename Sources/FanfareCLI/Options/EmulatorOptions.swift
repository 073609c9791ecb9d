internal import APNS
public import CommandLineKit
public import PushEmulator

/// Emulator faults for testing clients.
struct EmulatorFaultOptions: Sendable, Equatable {
  var certificate = EmulatorCertificate.good
  var names: HostNames?
  var alpn = ProtocolName.h2
  var clock: ClockArgument?
  var requireCertificate = false
  var streamsAtStart = StreamCount(count: 1)
  var roundTrip: RoundTrip?

  static let group = OptionGroup<Self>(
    "Connection",
    [
      .option(
        "certificate", \.certificate, value: "KIND", help: "What is wrong with its certificate."),
      .option(
        "names", \.names, value: "HOST,…",
        help: "More names that its certificate is for, such as api.push.apple.com."),
      .option(
        "protocol", \.alpn, value: "NAME", help: "What it answers to ALPN; it speaks h2 only."),
      .option(
        "clock", \.clock, value: "OFFSET",
        help: "How far its clock is off, such as --clock=-90m; answers then tell its time."),
      .option(
        "streams-at-start", \.streamsAtStart, value: "N",
        help: "How many streams may be open before the first valid provider token."),
      .option(
        "round-trip", \.roundTrip, value: "TIME",
        help: "Answer as from a distance, such as 80ms away and back."),
      .flag(
        "require-certificate", \.requireCertificate,
        help: "Refuse a client without a certificate in the TLS handshake."),
    ])

  /// Configures an emulator.
  func apply(to configuration: inout EmulatorConfiguration) {
    configuration.certificate = certificate.terms
    configuration.certificate.names += names?.names ?? []
    configuration.protocols = alpn.protocols
    configuration.clockOffset = clock?.offset.seconds ?? 0
    configuration.sendsDate = clock != nil
    configuration.requiresClientCertificate = requireCertificate
    configuration.initialStreamLimit = streamsAtStart.count
    configuration.distance.roundTripMilliseconds = roundTrip?.milliseconds ?? 0
  }
}

/// A defect of the emulator's certificate.
enum EmulatorCertificate: String, ArgumentValue, CaseIterable {
  case good
  case expired
  case notYetValid = "not-yet-valid"
  case wrongName = "wrong-name"
  case untrusted

  private static let elsewhere = ["elsewhere.invalid"]

  var terms: CertificateTerms {
    switch self {
    case .good: CertificateTerms()
    case .expired: CertificateTerms(validUntil: -60)
    case .notYetValid: CertificateTerms(validFrom: 3600)
    case .wrongName: CertificateTerms(names: Self.elsewhere)
    case .untrusted: CertificateTerms(issuer: .itself)
    }
  }
}

/// The emulator's answer to ALPN.
enum ProtocolName: String, ArgumentValue, CaseIterable {
  case h2
  case http1 = "http/1.1"
  case none

  var protocols: [String] { self == .none ? [] : [rawValue] }
}

extension EmulatorEnvironment: ArgumentValue {}

/// A clock's offset, such as `+2h` or `-90m`, at most ten years.
struct ClockArgument: ArgumentValue, Equatable {
  let offset: ClockOffset

  init(argument word: String) throws(BadValue) {
    guard let offset = ClockOffset(word) else {
      throw .expected("a sign and a length of time, such as +2h or -90m")
    }
    self.offset = offset
  }

  var argumentText: String { (offset.seconds < 0 ? "" : "+") + "\(offset.seconds)s" }
}

/// The simulated round trip to the emulator, such as `80ms`, at most a minute.
struct RoundTrip: ArgumentValue, Equatable {
  let milliseconds: Int

  init(argument word: String) throws(BadValue) {
    guard let time = TimeSpan.milliseconds(word), time <= 60_000 else {
      throw .expected("a length of time of at most a minute, such as 80ms")
    }
    milliseconds = time
  }

  var argumentText: String { "\(milliseconds)ms" }
}

/// The maximum number of open streams, from 1 to 1000.
struct StreamCount: ArgumentValue, Equatable {
  let count: Int

  init(count: Int) { self.count = count }

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), 1...1000 ~= count else {
      throw .expected("a number from 1 to 1000")
    }
    self.count = count
  }

  var argumentText: String { "\(count)" }
}

/// `HOST,…`: names in a certificate.
struct HostNames: ArgumentValue, Equatable {
  let names: [String]

  init(argument word: String) throws(BadValue) {
    names = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy(Self.isName) else { throw .expected("host names separated by commas") }
  }

  /// True for a name that a certificate can have: a DNS name, also with a wildcard, or an address.
  private static func isName(_ text: String) -> Bool {
    1...253 ~= text.utf8.count
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:*".contains($0)) }
  }

  var argumentText: String { names.joined(separator: ",") }
}

/// The number of requests that an inbox keeps.
struct KeptCount: ArgumentValue, Equatable {
  private static let range = 1...1_000_000

  let count: Int

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), Self.range.contains(count) else {
      throw .expected("a number from 1 to \(Self.range.upperBound)")
    }
    self.count = count
  }

  var argumentText: String { String(count) }
}
