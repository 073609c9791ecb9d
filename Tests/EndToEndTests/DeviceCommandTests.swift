import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("fanfare device")
struct DeviceCommandTests {
  @Test("says what it replaces and removes, with the end of the device token")
  func changes() throws {
    try withFanfare { fanfare in
      let (one, other) = (tokenText(1), tokenText(2))
      let add = ["device", "add", "phone"]
      #expect(try fanfare.run(add + [one, "--env", "sandbox"]).errors == "")
      #expect(try fanfare.run(add + [one]).errors == "")
      let replaced = try fanfare.run(add + [other])
      #expect(replaced.errors == "Replaced 'phone', which was …\(one.suffix(8)), sandbox.\n")
      #expect(replaced.exitCode == 0)
      _ = try fanfare.run(["device", "add", "qa", "phone"])
      let removed = try fanfare.run(["device", "remove", "qa", "phone"])
      #expect(
        removed.errors == """
          Removed 'phone', which was …\(other.suffix(8)), sandbox.
          Removed 'qa', which was a group of phone.

          """)
      #expect(removed.exitCode == 0 && removed.output == "")
    }
  }

  @Test("gives names that may stand in one word, and is hinted past where a file is meant")
  func words() throws {
    try withFanfare { fanfare in
      _ = try fanfare.run(["device", "add", "phone", tokenText(1)])
      _ = try fanfare.run(["device", "add", "watch", tokenText(2)])
      for word in ["phone watch", "phone,watch", "phone \(tokenText(2))"] {
        let sent = try fanfare.send("--to", word)
        #expect(sent.exitCode == 0 && sent.output.contains("accepted     2"), "\(sent)")
      }
      try fanfare.folder.write("list.txt", tokenText(1))
      for file in ["list.txt", "./list.txt"] {
        let refused = try fanfare.send("--to", file)
        #expect(refused.exitCode == 2 && refused.errors.contains("'--to @\(file)'"), "\(refused)")
      }
    }
  }

  @Test("works with the user's own devices where fanfare.json is broken, and warns of it")
  func brokenProject() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("fanfare.json", "{devices: {office: {token: '0c0d'}}")
      let warning = "fanfare.json cannot be used, so its devices are left out."
      let token = tokenText(1)
      for words in [["add", "phone", token], ["list"], ["list", "--names"]] {
        let result = try fanfare.run(["device"] + words)
        #expect(result.exitCode == 0 && result.errors.contains(warning), "\(result.errors)")
        #expect(result.output.contains("phone"))
      }
      let unknown = try fanfare.run(["device", "add", "qa", "office"])
      #expect(unknown.exitCode == 2 && unknown.errors.contains("fanfare.json:1:"))
      let removed = try fanfare.run(["device", "remove", "phone"])
      #expect(removed.exitCode == 0 && removed.errors.contains(warning), "\(removed.errors)")
    }
  }
}
