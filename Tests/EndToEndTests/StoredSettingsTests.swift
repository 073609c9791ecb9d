import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("The settings of a run")
struct StoredSettingsTests {
  @Test("with a proxy and without a token cache are those of resume too")
  func proxied() throws {
    try withFanfare { fanfare in
      let proxy = try TestProxy()
      let run = try ResumableRun(of: 5000, in: fanfare)
      let words = ["--proxy", proxy.url, "--no-token-cache"]
      _ = try run.send(words, signal: SIGINT, atRequest: 100)
      let count = proxy.connectionCount
      #expect(count > 0)
      #expect(try run.resume().exitCode == 0)
      #expect(proxy.connectionCount > count)
      #expect(try !fanfare.folder.names().contains(".cache"))
      run.expectNobodyTwice()
    }
  }

  @Test("give way to another server, and the proxy goes with the old one")
  func elsewhere() throws {
    try withFanfare { fanfare in
      let proxy = try TestProxy()
      let run = try ResumableRun(of: 5000, in: fanfare)
      _ = try run.send(["--proxy", proxy.url], signal: SIGINT, atRequest: 100)
      let count = proxy.connectionCount
      let other = try Server(fanfare)
      let words = ["resume"] + other.place
      let result = try fanfare.run(words)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(proxy.connectionCount == count && other.emulator.requestCount > 0)
    }
  }

  @Test("keep the proxy when only the CA is another")
  func otherRoots() throws {
    try withFanfare { fanfare in
      let proxy = try TestProxy()
      let run = try ResumableRun(of: 5000, in: fanfare)
      _ = try run.send(["--proxy", proxy.url], signal: SIGINT, atRequest: 100)
      let count = proxy.connectionCount
      #expect(try run.resume("--ca", "ca.pem").exitCode == 0)
      #expect(proxy.connectionCount > count)
    }
  }

  @Test("hold a payload that was on the command line, with its changes: no file is needed")
  func inlinePayload() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 5000, in: fanfare)
      let words = [
        "--payload", #"{"aps": {"alert": {"body": "Old"}}}"#, "--set", "aps.alert.body=New",
        "--set", "aps.badge:=3", "--critical",
      ]
      _ = try run.send(words, signal: SIGINT, atRequest: 100)
      #expect(try run.resume().exitCode == 0)
      run.expectNobodyLost()
      let bodies = Set(run.witness.sights.values.map(\.body))
      #expect(bodies.count == 1)
      let payload = try JSON(text: String(decoding: bodies.first ?? [], as: UTF8.self))
      #expect(payload["aps"]?["alert"] == ["body": "New", "title": "Hi"])
      #expect(payload["aps"]?["badge"] == 3 && payload["aps"]?["sound"]?["critical"] == 1)
      let settings = try JSON(
        text: try #require(run.history.texts("SELECT settings FROM runs").first))
      #expect(settings["settings"]?["set"] == ["aps.alert.body=New", "aps.badge:=3"])
      #expect(settings["settings"]?["payloadText"]?.string == words[1])
    }
  }

  @Test("do not hold what a variable says of a proxy, which may be a password")
  func secretProxy() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let proxy = try TestProxy(credentials: .init(user: "ada", password: "lovelace"))
      let url = proxy.url.replacing("://", with: "://ada:lovelace@")
      let words =
        ["send", "--bundle-id", "com.example.app", "--title", "Hi", "--to", device("0a1b")]
        + server.place
        + credentials
      let result = try fanfare.run(words, environment: ["HTTPS_PROXY": url])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(proxy.connectionCount > 0)
      let history = try SQLiteFile(fanfare.folder.file(".local/state/fanfare/history.sqlite"))
      let settings = try #require(history.texts("SELECT settings FROM runs").first)
      #expect(!settings.contains("lovelace") && !settings.contains("proxy"))
    }
  }

  @Test("of a folder are found from another one")
  func otherFolder() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 5000, in: fanfare)
      _ = try run.send(signal: SIGINT, atRequest: 100)
      try fanfare.folder.makeFolder("inner")
      let inner = Fanfare(folder: fanfare.folder.folder("inner"))
      let state = fanfare.folder.file(".local/state/fanfare/history.sqlite")
      let result = try inner.run(["resume", "1", "--history", state])
      #expect(result.exitCode == 0, "\(result.errors)")
      run.expectNobodyTwice()
    }
  }
}
