import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("README")
struct ReadmeTests {
  private static func lines() throws -> [Substring] {
    try String(contentsOf: projectFolder.appending(path: "README.md"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// As many lines as fit on 25 rows of 80 columns.
  private static func firstScreen() throws -> String {
    var rows = 0
    return try lines().prefix { line in
      rows += max(1, (line.count + 79) / 80)
      return rows <= 25
    }.joined(separator: "\n")
  }

  @Test("says on its first screen how to get it, and where")
  func beginning() throws {
    let screen = try Self.firstScreen()
    let needed = [
      "/releases/latest/download/install.sh | sh\n", "Debian 12", "Ubuntu 22.04", "macOS 15", "APT",
      "Homebrew", "container", "GitHub", "(#build-it)", "`make demo`",
    ]
    #expect(needed.filter { !screen.contains($0) } == [])
  }

  @Test("says what to install first to build it, and which commands build, try and test it")
  func building() throws {
    let text = try Self.lines().drop { $0 != "## Build it" }.joined(separator: "\n")
    let needed = [
      "macOS 15", "Xcode 26", "https://brew.sh", "Debian 12", "Ubuntu 22.04", "`make`", "`git`",
      "https://www.swift.org/install/linux/", "\nmake demo ", "\nmake test ",
      "install what is missing",
    ]
    #expect(needed.filter { !text.contains($0) } == [])
  }

  @Test("is short, and leaves the rest to other pages")
  func length() throws {
    #expect(try Self.lines().count <= 200)
  }
}
