import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@testable import APNS

@Suite("A server that is no APNs")
struct ServerFaultTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var terms = CertificateTerms()
    var protocols = ["h2"]
    var roots: [String] = ["--ca", "ca.pem"]
    let says: [String]
  }

  static let rows = [
    Row(
      testDescription: "an unknown authority", roots: [],
      says: ["was not issued by a trusted authority", "--ca FILE"]),
    Row(
      testDescription: "signed by itself", terms: .init(issuer: .itself),
      says: ["was not issued by a trusted authority", "--ca FILE"]),
    Row(
      testDescription: "another name", terms: .init(names: ["apns.example"]),
      says: ["is for a different name", "Use the name"]),
    Row(
      testDescription: "expired", terms: .init(validFrom: -7200, validUntil: -3600),
      says: ["has expired", "clock"]),
    Row(
      testDescription: "not valid yet", terms: .init(validFrom: 3600),
      says: ["not valid yet", "clock"]),
    Row(
      testDescription: "HTTP/1.1 only", protocols: ["http/1.1"],
      says: ["does not speak HTTP/2", "check the address"]),
    Row(
      testDescription: "a file of roots without one", roots: ["--ca", "none.pem"],
      says: ["none.pem", "PEM file"]),
  ]

  @Test("is told apart by what is wrong with it, and gets nothing", arguments: rows)
  func fault(_ row: Row) throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("none.pem", "no certificate\n")
      var configuration = EmulatorConfiguration()
      configuration.certificate = row.terms
      configuration.protocols = row.protocols
      let server = try Server(fanfare, configuration)
      let result = try fanfare.run(
        [
          "send", "--server", server.emulator.url, "--bundle-id", "com.example.app", "--title",
          "Hi",
          "--to", device("0a1b"),
        ] + row.roots + credentials)
      #expect(result.exitCode == 3)
      let place = server.emulator.url.dropFirst("https://".count)
      #expect(result.errors.contains(place) || row.roots.contains("none.pem"))
      for text in row.says { #expect(result.errors.contains(text), "\(result.errors)") }
      #expect(result.output.hasPrefix("not attempted"))
      #expect(server.emulator.requestCount == 0)
    }
  }

  @Test("is not asked when the file of roots cannot be read, and no earlier results are lost")
  func noRoots() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("r.jsonl", "earlier\n")
      let result = try fanfare.run(
        [
          "send", "--server", "https://127.0.0.1:1", "--ca", "none.pem", "--bundle-id", "a.b",
          "--title", "Hi", "--to", device("0a1b"), "--results", "r.jsonl",
        ] + credentials)
      #expect(result.exitCode == 2)
      #expect(result.errors.contains("The CA file none.pem does not exist."))
      let kept = try String(contentsOfFile: fanfare.folder.file("r.jsonl"), encoding: .utf8)
      #expect(kept == "earlier\n")
    }
  }

  @Test("may be OpenSSL's own web server")
  func openSSL() throws {
    try withFanfare { fanfare in
      try makeCertificate(in: fanfare.folder)
      let words = "s_server -accept 127.0.0.1:0 -www -cert cert.pem -key server.pem"
      let server = try Program(
        path: requirePath(of: "openssl"), words.split(separator: " ").map(String.init),
        in: fanfare.folder)
      var address = ""
      while let line = server.readLine() {
        guard line.hasPrefix("ACCEPT ") else { continue }
        address = String(line.dropFirst("ACCEPT ".count))
        break
      }
      let result = try fanfare.run(
        [
          "send", "--server", "https://\(address)", "--ca", "cert.pem", "--bundle-id", "a.b",
          "--title", "Hi", "--to", device("0a1b"),
        ] + credentials)
      server.send(9)
      _ = try server.finish()
      #expect(result.exitCode == 3)
      #expect(
        result.errors.contains("\(address) does not speak HTTP/2.\n  APNs speaks HTTP/2 only"))
    }
  }

  @Test("is not there at all")
  func nobody() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      server.emulator.stop()
      let result = try server.send("--to", device("0a1b"), "--json")
      #expect(result.exitCode == 3)
      let place = server.emulator.url.dropFirst("https://".count)
      #expect(result.errors.contains("No connection to \(place)"))
      #expect(result.errors.contains("Check host and port"))
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(summary["notAttempted"] == 1 && summary["push"]?["attempts"] == 0)
    }
  }

  @Test("can write nothing that a terminal would obey into a reason")
  func hostileReason() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in
        .reject(status: .badRequest, reason: Reason(known: "Bad\u{1b}[31m\r\nReason\u{202e}"))
      }
      let server = try Server(fanfare, configuration)
      let result = try server.send("--to", device("0a1b"), "--results", "out.csv")
      #expect(result.exitCode == 1)
      let shown = #"Bad\u{1b}[31m\u{d}\u{a}Reason\u{202e}"#
      #expect(result.output.hasPrefix("rejected  400 \(shown)  \(deviceTail("0a1b"))\n"))
      #expect(try !fanfare.folder.text("out.csv").contains("\u{1b}"))
    }
  }

  @Test("may have a reason of its own, which is told as it is")
  func newReason() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      let reason = try #require(Reason(rawValue: "MoonPhaseNotSupported"))
      configuration.answer = { _ in .reject(status: .badRequest, reason: reason) }
      let result = try Server(fanfare, configuration).send("--to", device("0a1b"))
      #expect(result.exitCode == 1)
      #expect(
        result.output.hasPrefix("rejected  400 MoonPhaseNotSupported  \(deviceTail("0a1b"))\n"))
      #expect(result.output.contains("newer than this version"))
    }
  }

  @Test("explains a dead device token, and gives the time of its end")
  func gone() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.unregistered, timestamp: 1_700_000_000_000) }
      let result = try Server(fanfare, configuration).send("--to", device("0a1b"), "--json")
      #expect(result.exitCode == 1)
      let push = try JSON(text: result.output)["push"]
      #expect(push?["status"] == 410 && push?["reason"] == "Unregistered")
      #expect(push?["timestamp"] == 1_700_000_000_000)
    }
  }

  @Test("may be nghttpd, whose 404 has no reason", .needs("nghttpd"))
  func nghttpd() throws {
    try withFanfare { fanfare in
      try makeCertificate(in: fanfare.folder)
      let (server, port) = try startNghttpd(in: fanfare.folder)
      let result = try fanfare.run(
        [
          "send", "--server", "https://127.0.0.1:\(port)", "--ca", "cert.pem", "--bundle-id", "a.b",
          "--title", "Hi", "--to", device("0a1b"), "--json",
        ] + credentials)
      server.type("\u{3}")
      #expect(result.exitCode == 1)
      let push = try JSON(text: result.output)["push"]
      #expect(
        push?["outcome"] == "rejected" && push?["status"] == 404 && push?["reason"] == nil as JSON)
    }
  }

  /// nghttpd takes port 0 but does not tell which one it got, so it is given one that was free a
  /// moment ago, and another when somebody else took that. Into a pipe it would say nothing for long.
  private func startNghttpd(in folder: TemporaryFolder) throws -> (TerminalProgram, UInt16) {
    for _ in 0..<10 {
      let emulator = try Emulator()
      emulator.stop()
      let words = ["-v", "-a", "127.0.0.1", String(emulator.port), "server.pem", "cert.pem"]
      let program = try TerminalProgram(path: requirePath(of: "nghttpd"), words, in: folder)
      if program.wait(for: "listen 127.0.0.1") { return (program, emulator.port) }
    }
    throw NoFreePort()
  }

  private struct NoFreePort: Error {}

  private func makeCertificate(in folder: TemporaryFolder) throws {
    let words =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.pem -out cert.pem"
      + " -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    let made = try run("openssl", words.split(separator: " ").map(String.init), in: folder)
    try #require(made.exitCode == 0, "\(made.errors)")
  }
}
