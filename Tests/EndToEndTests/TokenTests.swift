import Foundation
import JSONText
import TestSupport
import Testing

@Suite("fanfare token")
struct TokenTests {
  @Test("prints a provider token that OpenSSL verifies")
  func verifies() throws {
    try withFanfare { fanfare in
      let folder = fanfare.folder
      let parts = try token(fanfare).split(separator: ".").map(String.init)
      try #require(parts.count == 3)
      let signature = try bytes(parts[2])
      #expect(signature.count == 64)
      try folder.write("signed.txt", parts[0] + "." + parts[1])
      try Data(der(signature)).write(to: URL(filePath: folder.file("signature.der")))
      for line in [
        "pkey -in \(keyFile) -pubout -out public.pem",
        "dgst -sha256 -verify public.pem -signature signature.der signed.txt",
      ] {
        let words = line.split(separator: " ").map(String.init)
        #expect(try run("openssl", words, in: folder).exitCode == 0, "\(line)")
      }
    }
  }

  @Test("names key and team, and when it was issued, as a number")
  func contents() throws {
    let before = Int(Date.now.timeIntervalSince1970)
    let parts = try withFanfare(token).split(separator: ".").map(String.init)
    let header = try JSONReader().read(try bytes(parts[0]))
    let claims = try JSONReader().read(try bytes(parts[1]))
    #expect(header["alg"] == "ES256" && header["kid"] == "ABC123DEFG")
    #expect(claims["iss"] == "DEF123GHIJ")
    let issued = try #require(claims["iat"]?.int)
    #expect(before...Int(Date.now.timeIntervalSince1970) ~= issued)
  }

  @Test("takes the key from a variable in each of its forms")
  func variable() throws {
    try withFanfare { fanfare in
      let pem = try fanfare.folder.text(keyFile)
      let forms = [
        keyFile, pem, pem.split(separator: "\n").joined(separator: "\\n"),
        Data(pem.utf8).base64EncodedString(),
      ]
      for form in forms {
        let result = try fanfare.start(
          ["token"],
          environment: [
            "FANFARE_KEY": form, "FANFARE_KEY_ID": "ABC123DEFG", "FANFARE_TEAM_ID": "DEF123GHIJ",
          ]
        ).finish()
        #expect(result.exitCode == 0 && result.output.hasPrefix("eyJ"), "\(result.errors)")
      }
    }
  }

  @Test("takes the key from standard input")
  func standardInput() throws {
    try withFanfare { fanfare in
      let result = try fanfare.start(
        ["token", "--key", "-", "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ"],
        input: .file(fanfare.folder.file(keyFile))
      ).finish()
      #expect(result.exitCode == 0 && result.output.hasPrefix("eyJ"))
    }
  }

  private func token(_ fanfare: Fanfare) throws -> String {
    let result = try fanfare.start(["token"] + credentials).finish()
    #expect(result.exitCode == 0 && result.errors == "")
    #expect(result.output.hasSuffix("\n"))
    return String(result.output.dropLast())
  }

  private func bytes(_ base64URL: String) throws -> [UInt8] {
    #expect(!base64URL.contains { "+/=".contains($0) })
    let plain = base64URL.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
    return Array(try #require(Data(base64Encoded: String(plain) + padding)))
  }

  /// The two numbers of a signature as OpenSSL wants them: a SEQUENCE of two INTEGERs (X.690).
  private func der(_ signature: [UInt8]) -> [UInt8] {
    let numbers = [signature[..<32], signature[32...]].flatMap { half -> [UInt8] in
      let digits = Array(half.drop { $0 == 0 })
      let positive = digits.first.map { $0 >= 0x80 } ?? true ? [0] + digits : digits
      return [0x02, UInt8(positive.count)] + positive
    }
    return [0x30, UInt8(numbers.count)] + numbers
  }
}
