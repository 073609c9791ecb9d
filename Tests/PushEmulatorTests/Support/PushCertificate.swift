import Foundation
import TestSupport

/// A client certificate made by the `openssl` command, which shares no code with the emulator.
struct PushCertificate {
  /// A line of OpenSSL's configuration for an extension of Apple's arc.
  static let sandbox = apple(1, "NULL")
  static let production = apple(2, "NULL")

  static func apple(_ number: Int, _ value: String) -> String {
    "1.2.840.113635.100.6.3.\(number)=ASN1:\(value)"
  }

  /// The list of topics as Apple writes it, each with one label.
  static let topicSections = """
    [topics]
    1=UTF8:com.example.shop
    2=SEQUENCE:app
    3=UTF8:com.example.shop.voip
    4=SEQUENCE:voip
    [app]
    1=UTF8:app
    [voip]
    1=UTF8:voip
    """

  /// The list of topics, to stand beside `topicSections`.
  static let topics = apple(6, "SEQUENCE:topics")

  let certificatePath: String
  let keyPath: String
  let der: [UInt8]

  /// Makes a certificate that is valid from now on for a day.
  ///
  /// - Parameters:
  ///   - subject: attributes in OpenSSL's notation, `/CN=…/UID=…`.
  ///   - extensions: lines of OpenSSL's configuration.
  init(_ subject: String, _ extensions: [String] = [], in folder: TemporaryFolder) throws {
    let text = """
      [req]
      distinguished_name=name
      x509_extensions=all
      [name]
      [all]
      basicConstraints=CA:FALSE
      \(extensions.joined(separator: "\n"))
      \(Self.topicSections)
      """
    try folder.write("openssl.cnf", text)
    let words =
      ["req", "-x509", "-config", "openssl.cnf", "-newkey", "ec", "-pkeyopt"]
      + ["ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", subject]
      + ["-keyout", "key.pem", "-out", "certificate.pem"]
    let made = try run("openssl", words, in: folder)
    guard made.exitCode == 0 else { throw Failure(text: made.errors) }
    _ = try run(
      "openssl", ["x509", "-in", "certificate.pem", "-outform", "DER", "-out", "certificate.der"],
      in: folder)
    certificatePath = folder.file("certificate.pem")
    keyPath = folder.file("key.pem")
    der = Array(try Data(contentsOf: URL(filePath: folder.file("certificate.der"))))
  }

  struct Failure: Error { let text: String }
}
