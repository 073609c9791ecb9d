import Foundation
package import TestSupport
import Testing

/// A folder with keys and certificates of every kind, made by openssl.
package struct CredentialWorkshop {
  package static let password = "open sesame 4711"

  private static let files = Result { try withTemporaryFolder { try Self(making: $0).contents() } }

  package let folder: TemporaryFolder

  /// Puts everything into a folder. It is made once for all tests.
  package init(in folder: TemporaryFolder) throws {
    self.folder = folder
    for (name, bytes) in try Self.files.get() {
      try bytes.write(to: URL(filePath: folder.file(name)))
      try #require(chmod(folder.file(name), 0o600) == 0)
    }
    try folder.makeFolder("folder.p8")
    try #require(mkfifo(folder.file("pipe.p8"), 0o600) == 0)
  }

  private init(making folder: TemporaryFolder) throws {
    self.folder = folder
    try makeKeys()
    try folder.writeSecret("password", Self.password + "\n")
    try folder.writeSecret("other-password", "sesame\n")
    try folder.writeSecret("marked-password", "\u{FEFF}\(Self.password)\r\n")
    try makeCertificate("shop", app: "com.example.shop")
    try makeCertificate("sandbox", app: "com.example.shop", environments: [1])
    try makeCertificate("production", app: "com.example.shop", environments: [2])
    try makeCertificate("expired", app: "com.example.shop", years: 2020...2021)
    try makeCertificate("future", app: "com.example.shop", years: 2048...2049)
    try makeCertificate("mdm", app: "com.apple.mgmt.External.0815", prefix: "APSP:", topics: false)
    try makeCertificate(
      "voip", app: "com.example.shop", prefix: "VoIP Services: ", topics: false)
    try makeCertificate(
      "other", app: "com.example.other", prefix: "Apple Development IOS Push Services: ",
      environments: [1], topics: false)
    try makeCertificate(
      "web", app: "www.example.com", prefix: "", environments: [], topics: false)
    try makeCertificate(
      "vendor", prefix: "MDM Vendor: Example", environments: [], topics: false)
    try makeCertificate(
      "call", app: "com.example.shop.voip", prefix: "VoIP Services: ", topics: false)
    try makeCertificate(
      "signing", app: "ABC123DEFG", prefix: "Apple Development: ", environments: [], topics: false)
    try packCertificates()
  }

  private func contents() throws -> [(String, Data)] {
    try folder.names().filter { !$0.hasPrefix(".") }.map {
      ($0, try Data(contentsOf: URL(filePath: folder.file($0))))
    }
  }

  /// The lines of every private key, and every password: what no output may hold.
  package func secrets() throws -> [String] {
    let keys = try folder.names().filter {
      ($0.hasSuffix(".key") || $0.hasSuffix(".p8")) && !["folder.p8", "pipe.p8"].contains($0)
    }
    let lines = try keys.flatMap { try folder.lines($0) }.map(String.init)
    return lines.filter { $0.count > 30 && !$0.contains("-----") } + [Self.password]
  }

  /// Runs openssl with words that blanks separate.
  private func openssl(_ line: String) throws {
    let words = line.split(separator: " ").map {
      String($0).replacing("PASSWORD", with: "pass:\(Self.password)")
    }
    try runOpenSSL(words, in: folder)
  }

  private func makeKeys() throws {
    let curve = "-pkeyopt ec_paramgen_curve:"
    for line in [
      "genpkey -out good.p8 -algorithm EC \(curve)P-256",
      "ec -in good.p8 -out sec1.p8", "ecparam -name prime256v1 -genkey -out parameters.p8",
      "pkcs8 -topk8 -nocrypt -in good.p8 -outform DER -out der.key.bin",
      "pkcs8 -topk8 -in good.p8 -out locked.p8 -passout PASSWORD",
      "base64 -in der.key.bin -out base64.p8", "genpkey -out rsa.p8 -algorithm RSA",
      "genpkey -out p384.p8 -algorithm EC \(curve)P-384",
      "genpkey -out ed25519.p8 -algorithm ED25519", "pkey -in good.p8 -pubout -out public.pem",
      "req -new -key good.p8 -subj /CN=x -out request.pem",
    ] { try openssl(line) }
    let wide = try folder.text("good.p8").data(using: .utf16LittleEndian) ?? Data()
    try wide.write(to: URL(filePath: folder.file("wide.p8")))
    let twice = Data(try folder.text("base64.p8").utf8).base64EncodedString()
    try folder.write("twice.p8", twice)
    try folder.write(
      "spaced.p8", folder.text("good.p8").replacing("-----BEGIN", with: "----- BEGIN"))
    try folder.write("cut.p8", String(folder.text("good.p8").dropLast(60)))
    try folder.write("empty.p8", "")
    try folder.write("page.p8", "<!DOCTYPE html><html>Log in</html>")
  }

  /// A certificate `NAME.pem` with its key `NAME.key`, as Apple would issue it for an app.
  ///
  /// - Parameter app: its user ID; nil leaves it out.
  private func makeCertificate(
    _ name: String, app: String? = nil, prefix: String = "Apple Push Services: ",
    environments: [Int] = [1, 2], topics: Bool = true, years: ClosedRange<Int> = 2020...2049
  ) throws {
    let extensions = pushExtensions(
      of: app ?? "", environments: environments, topics: topics ? ["app", "voip"] : [])
    try openssl("genpkey -out \(name).key -algorithm EC -pkeyopt ec_paramgen_curve:P-256")
    try signItself(
      name, subject: "\(app.map { "/UID=" + $0 } ?? "")/CN=\(prefix)\(app ?? "")",
      extensions: extensions, from: "\(years.lowerBound)0101000000Z",
      to: "\(years.upperBound)0101000000Z", in: folder)
  }

  private func packCertificates() throws {
    let shop = "pkcs12 -export -inkey shop.key -in shop.pem -passout PASSWORD"
    for line in [
      "\(shop) -out aes.p12", "\(shop) -legacy -out legacy.p12",
      "pkcs12 -export -nokeys -in shop.pem -passout PASSWORD -out keyless.p12",
      "pkcs12 -export -inkey shop.key -in shop.pem -passout pass: -out open.p12",
      "pkcs8 -topk8 -in shop.key -out locked.key -passout PASSWORD",
      "genpkey -out weak.key -algorithm RSA -pkeyopt rsa_keygen_bits:1024",
      "req -x509 -key weak.key -subj /CN=weak -out weak.pem",
    ] { try openssl(line) }
    try folder.write("both.pem", folder.text("shop.pem") + folder.text("shop.key"))
    let packed = try Data(contentsOf: URL(filePath: folder.file("aes.p12")))
    try packed.dropLast(40).write(to: URL(filePath: folder.file("cut.p12")))
    try folder.write("base64.p12", packed.base64EncodedString())
  }
}
