#if os(Linux)
import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

private let isDebian =
  getuid() == 0 && FileManager.default.fileExists(atPath: "/var/lib/dpkg/status")

@Suite("The .deb", .enabled(if: isDebian, "needs root, on Debian or Ubuntu"))
struct DebianPackageTests {
  /// dpkg, with a root folder and a database of its own.
  private func dpkg(_ release: Release, _ words: String...) throws -> Program.Result {
    let own = ["--root=\(release.folder.file("root"))", "--log=\(release.folder.file("log"))"]
    return try run("dpkg", own + words, in: release.folder)
  }

  /// A root in which these packages are installed, for all that dpkg knows.
  private func makeRoot(_ release: Release, status: String) throws {
    for name in ["info", "updates", "triggers"] {
      try release.folder.makeFolder("root/var/lib/dpkg/\(name)")
    }
    try release.folder.write("root/var/lib/dpkg/status", status)
  }

  /// The files below the root that are not dpkg's own.
  private func files(_ release: Release) throws -> Set<String> {
    let root = URL(filePath: release.folder.file("root"))
    return try Set(
      FileManager.default.subpathsOfDirectory(atPath: root.path).filter { !$0.hasPrefix("var") })
  }

  @Test("is installed where its libraries are, runs, and is removed without a trace")
  func installed() throws {
    try withRelease { release in
      try release.mustMake("deb")
      let package = try release.package(".deb")
      try makeRoot(release, status: "")
      let refused = try dpkg(release, "--install", package)
      #expect(refused.exitCode == 1 && refused.errors.contains("depends on libcurl"))
      // Here the libraries that the program was built with are installed, in their versions.
      try makeRoot(release, status: String(contentsOfFile: "/var/lib/dpkg/status", encoding: .utf8))
      let installed = try dpkg(release, "--install", package)
      #expect(installed.exitCode == 0, "\(installed.errors)")
      try expectUse(of: release.folder.file("root/usr/bin/fanfare"))
      #expect(try dpkg(release, "--verify", "fanfare").output == "")
      let documents = try files(release).filter { $0.hasPrefix("usr/share/doc/fanfare/") }
      #expect(documents.count == 3)
      #expect(try dpkg(release, "--purge", "fanfare").exitCode == 0)
      #expect(try files(release) == [])
    }
  }

  /// Sends a push with the program that was installed.
  private func expectUse(of path: String) throws {
    try withFanfare { fanfare in
      let words = [
        "send", "--env", "emulator", "--bundle-id", "com.example.app", "--title", "Hello", "--to",
        String(repeating: "0a", count: 32),
      ]
      let sent = try Program(path: path, words, in: fanfare.folder).finish()
      #expect(sent.exitCode == 0 && sent.output.hasPrefix("accepted"), "\(sent.errors)")
    }
  }

  @Test("has no fault that lintian knows", .needs("lintian"))
  func lint() throws {
    try withRelease { release in
      try release.mustMake("deb")
      let result = try run(
        "lintian", ["--fail-on", "none", release.package(".deb")], in: release.folder)
      #expect(result.exitCode == 0, "\(result.errors)")
      // The program of the tests finds Swift's libraries where the compiler is, and the linker that
      // Swift takes for it on Debian 13 leaves out RELRO; Scripts/release refuses such a release.
      let known = [
        "E: fanfare: custom-library-search-path RUNPATH", "W: fanfare: hardening-no-relro",
      ]
      let faults = result.output.split(separator: "\n").filter { line in
        !known.contains(where: line.hasPrefix)
      }
      #expect(faults == [])
    }
  }

  @Test("names version, distribution and project, and is always of the same bytes")
  func fields() throws {
    try withRelease { release in
      let packages = try (1...2).map { _ in
        try release.mustMake("deb", environment: ["RELEASE_PROJECT": "https://example.com/fanfare"])
        return try Data(contentsOf: URL(filePath: release.package(".deb")))
      }
      #expect(packages[0] == packages[1])
      let fields = try release.lines("dpkg-deb", "--field", release.package(".deb"))
      #expect(fields.contains { $0.hasPrefix("Version: \(fanfareVersion)-1~") })
      #expect(fields.contains("Homepage: https://example.com/fanfare"))
      let depends = try #require(fields.first { $0.hasPrefix("Depends: ") })
      for library in ["libc6 (>= ", "libcurl4", "libmicrohttpd12", "libnghttp2-14", "libsqlite3-0"]
      {
        #expect(depends.contains(library), "\(library)")
      }
    }
  }
}
#endif
