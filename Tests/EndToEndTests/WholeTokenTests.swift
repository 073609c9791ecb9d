import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("A device token on standard output")
struct WholeTokenTests {
  private static let send = [
    "send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--to", tokenText(0x5E),
  ]

  /// Commands, and whether README says that they print whole device tokens.
  static let commands: [(words: [String], isWhole: Bool)] = [
    (send, false), (send + ["--dry-run"], false), (send + ["--dry-run", "--json"], false),
    (send + ["--json"], true), (send + ["--curl"], true),
    (send + ["--template", "{{token}}"], true), (send + ["--results", "-"], true),
    (send + ["--dry-run", "--show-tokens"], true), (["history", "list"], false),
    (["history", "list", "--pushes"], false), (["history", "list", "--pushes", "--json"], true),
    (["history", "list", "--pushes", "--show-tokens"], true), (["history", "show"], false),
    (["history", "export"], true), (["history", "export", "--format", "curl"], true),
    (["device", "list"], false), (["device", "list", "--json"], true),
    (["device", "list", "--show-tokens"], true), (["run", "s.json5", "--json"], true),
    (["check", "s.json5"], false), (["config", "show"], false),
  ]

  @Test("is whole where README says so, and only there", arguments: commands)
  func whole(_ row: (words: [String], isWhole: Bool)) throws {
    try withFanfare { fanfare in
      _ = try fanfare.run(["device", "add", "my-phone", tokenText(0x5E)])
      _ = try fanfare.run(Self.send)
      try fanfare.folder.write(
        "s.json5",
        """
        {bundleID: "a.b", environment: "emulator", recipients: ["\(tokenText(0x5E))", "bad.txt"],
          notification: {payload: {aps: {alert: "Hi"}}}}
        """)
      try fanfare.folder.write("bad.txt", tokenText(0x5E) + "0\n")
      let result = try fanfare.run(row.words)
      let told = result.output + result.errors
      #expect(told.contains(tokenText(0x5E)) == row.isWhole, "\(told)")
    }
  }
}
