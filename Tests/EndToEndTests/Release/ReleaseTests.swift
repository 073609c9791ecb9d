import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

@Suite("A release", .needs("strip"), .needs("objdump"))
struct ReleaseTests {
  @Test("is refused under another tag, and with a changelog that is not finished")
  func tag() throws {
    try withReleaseTree { release in
      for tag in [fanfareVersion, "v9.9.9", "v\(fanfareVersion)-rc1"] {
        let result = try release.make("source", environment: ["RELEASE_TAG": tag])
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("the tag is \(tag), but the version is \(fanfareVersion)"))
      }
      let tag = ["RELEASE_TAG": "v\(fanfareVersion)"]
      let changes = "# Changelog\n\n## Unreleased\n\n- More.\n\n## \(fanfareVersion)\n"
      try release.folder.write("tree/CHANGELOG.md", changes)
      let early = try release.make("source", environment: tag)
      #expect(early.exitCode == 2 && early.errors.contains("'Unreleased'"))
      #expect(try !release.folder.names().contains("packages"))
      try release.folder.write("tree/CHANGELOG.md", "# Changelog\n\n## \(fanfareVersion)\n")
      #expect(try release.make("source", environment: tag).exitCode == 0)
    }
  }

  @Test("is refused when program, source and changelog have different versions")
  func version() throws {
    try withReleaseTree { release in
      let changes = try release.folder.text("tree/CHANGELOG.md")
      try release.folder.write("tree/CHANGELOG.md", "## 9.9.9\n\n\(changes)")
      let changelog = try release.make("source")
      #expect(changelog.exitCode == 2 && changelog.errors.contains("CHANGELOG.md is 9.9.9, not "))
      let source = "package let fanfareVersion = \"9.9.9\"\n"
      try release.folder.write("tree/Sources/Reporting/System/Version.swift", source)
      let program = try release.make("source")
      #expect(program.exitCode == 2 && program.errors.contains("fanfare is not version 9.9.9"))
    }
  }

  @Test("never replaces a folder with other files in it")
  func folder() throws {
    try withRelease { release in
      try release.mustMake("source")
      try release.mustMake("source")
      try release.packages.write("notes.txt", "mine")
      let result = try release.make("source")
      #expect(
        result.exitCode == 2 && result.errors.contains("notes.txt, which is not from a release"))
      #expect(try release.packages.text("notes.txt") == "mine")
      #expect(try release.folder.names().filter { $0.hasPrefix("packages") } == ["packages"])
    }
  }

  @Test("lists its files with their checksums")
  func checksums() throws {
    try withRelease { release in
      try release.mustMake("formula")
      let sums = try release.packages.lines("SHA256SUMS").map { $0.split(separator: " ") }
      let files = try release.packages.names().filter { $0 != "SHA256SUMS" }
      #expect(sums.map { String($0[1]) } == files && files.count == 2)
      for sum in sums {
        let found = try release.lines(
          "openssl", "dgst", "-sha256", release.packages.file("\(sum[1])"))
        #expect(found.first?.hasSuffix("= \(sum[0])") == true)
      }
    }
  }

  @Test("has the program with its manual and completions in an archive, always of the same bytes")
  func archive() throws {
    try withRelease { release in
      let archives = try (1...2).map { _ in
        try release.mustMake("archive")
        return try Data(contentsOf: URL(filePath: release.package(".tar.gz")))
      }
      #expect(archives[0] == archives[1])
      let archive = try release.package(".tar.gz")
      let paths = try release.lines("tar", "-tzf", archive).filter { !$0.hasSuffix("/") }
      #expect(
        paths.map { $0.split(separator: "/").dropFirst().joined(separator: "/") } == Self.paths)
      let root = try #require(paths.first?.split(separator: "/").first)
      #expect(archive.hasSuffix("/\(root).tar.gz") && root.hasPrefix("fanfare-\(fanfareVersion)-"))
      _ = try release.lines("tar", "-xzf", archive)
      let program = release.folder.file("\(root)/bin/fanfare")
      let version = try Program(path: program, ["version"], in: release.folder).finish().output
      #expect(version == "fanfare \(fanfareVersion)\n")
      let sizes = try [program, Fanfare.path].map {
        try #require(FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int)
      }
      #expect(sizes[0] < sizes[1])
    }
  }

  private static let paths = [
    "LICENSE", "README.md", "bin/fanfare", "share/bash-completion/completions/fanfare",
    "share/fish/vendor_completions.d/fanfare.fish", "share/man/man1/fanfare.1",
    "share/zsh/site-functions/_fanfare",
  ]

  @Test("can be made from its own source archive, without git and without what git ignores")
  func source() throws {
    try withRelease { release in
      try release.mustMake("source")
      let first = try Data(contentsOf: URL(filePath: release.package("-source.tar.gz")))
      _ = try release.lines("tar", "-xzf", release.package("-source.tar.gz"))
      let name = "fanfare-\(fanfareVersion)"
      try release.folder.makeFolder("\(name)/.build/debug")
      for ignored in [".build/debug/fanfare", "AuthKey_ABC123DEFG.p8", "payloads/push.pem"] {
        try release.folder.write("\(name)/\(ignored)", "not for others")
      }
      var again = release
      again.tree = release.folder.file(name)
      try again.mustMake("source")
      #expect(try Data(contentsOf: URL(filePath: again.package("-source.tar.gz"))) == first)
      let paths = try release.lines("tar", "-tzf", again.package("-source.tar.gz"))
      #expect(paths.allSatisfy { $0.hasPrefix("\(name)/") })
      #expect(paths.contains("\(name)/Package.swift") && paths.contains("\(name)/.gitignore"))
    }
  }

  #if os(Linux) && canImport(Glibc)
  @Test("needs a program that runs with the glibc that it is said to run with")
  func glibc() throws {
    try withRelease { release in
      let old = try release.make("source", environment: ["RELEASE_GLIBC": "2.17"])
      #expect(old.exitCode == 2 && old.errors.contains(" needs glibc 2."))
      #expect(old.errors.contains("; a release here may need 2.17 at most"))
      let new = try release.make("source", environment: ["RELEASE_GLIBC": "2.100"])
      #expect(new.exitCode == 0, "\(new.errors)")
    }
  }
  #endif

  #if os(Linux)
  @Test("needs a program that runs without Swift")
  func linking() throws {
    try withRelease { release in
      let result = try release.make("archive", options: [])
      #expect(result.exitCode == 2 && result.errors.contains("needs Swift's shared libraries"))
    }
  }
  #endif
}
