import Foundation
import JSONText
import SendingSupport
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

  @Test("prints the same token again, unless it is told not to")
  func cached() throws {
    try withFanfare { fanfare in
      let first = try token(fanfare)
      #expect(try token(fanfare) == first)
      let other = try fanfare.start(["token", "--no-token-cache"] + credentials).finish()
      #expect(other.output.hasPrefix("eyJ") && other.output != first + "\n")
      #expect(try token(fanfare) == first)
    }
  }

  @Test("prints one token for a hundred that ask at once")
  func hundred() throws {
    try withFanfare { fanfare in
      let running = try (0..<100).map { _ in try fanfare.start(["token"] + credentials) }
      let tokens = try running.map { try $0.finish() }
      #expect(tokens.allSatisfy { $0.exitCode == 0 && $0.errors == "" })
      #expect(Set(tokens.map(\.output)).count == 1)
    }
  }

  @Test("is signed by processes that are killed at any time, and the next one has a whole one")
  func killed() throws {
    try withFanfare { fanfare in
      for _ in 0..<10 {
        let running = try (0..<6).map { _ in try fanfare.start(["token"] + credentials) }
        // The others are at it now.
        _ = running[0].readLine()
        for program in running { program.send(SIGKILL) }
        for program in running { _ = try program.finish() }
        #expect(try token(fanfare).hasPrefix("eyJ"))
        try FileManager.default.removeItem(atPath: fanfare.folder.file(".cache"))
      }
    }
  }

  @Test("tells of a key that others can read, and what to do")
  func exposed() throws {
    try withFanfare { fanfare in
      try #require(chmod(fanfare.folder.file(keyFile), 0o644) == 0)
      let result = try fanfare.start(["token"] + credentials).finish()
      #expect(result.exitCode == 0 && result.output.hasPrefix("eyJ"))
      #expect(result.errors.contains("is readable by other users (mode 0644)"))
      #expect(result.errors.contains("chmod 600 \(keyFile)"))
      let quiet = try fanfare.send("--to", device("0a1b"), "--quiet")
      #expect(quiet.errors == "")
    }
  }

  @Test("takes a key from a shell's <(…)", .needs("bash"))
  func substitution() throws {
    try withFanfare { fanfare in
      let script = "\(Fanfare.path) token --key <(cat \(keyFile)) --key-id ABC123DEFG"
      let result = try run(
        "bash", ["-c", script + " --team-id DEF123GHIJ"], in: fanfare.folder)
      #expect(result.exitCode == 0 && result.output.hasPrefix("eyJ"), "\(result.errors)")
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
