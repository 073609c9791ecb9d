import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("Installing", .needs("make"))
struct InstallTests {
  /// What is put in place, below a prefix, and with which permissions.
  private static let files = [
    "bin/fanfare": 0o755, "share/man/man1/fanfare.1": 0o644,
    "share/bash-completion/completions/fanfare": 0o644,
    "share/zsh/site-functions/_fanfare": 0o644,
    "share/fish/vendor_completions.d/fanfare.fish": 0o644,
  ]

  @Test("puts binary, manual page and completions in place, and takes them away")
  func all() throws {
    try withTemporaryFolder { folder in
      // The second time they are replaced, and what lies beside them is left alone.
      for _ in 1...2 { #expect(try make("install", in: folder).exitCode == 0) }
      try folder.write("a root/usr/bin/other", "")
      #expect(try paths(in: folder) == Set(Self.files.keys).union(["bin/other"]))
      for (path, mode) in Self.files {
        let file = folder.file("a root/usr/\(path)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == mode)
      }
      #expect(try make("uninstall", in: folder).exitCode == 0)
      #expect(try paths(in: folder) == ["bin/other"])
    }
  }

  @Test("puts texts in place that the program itself prints")
  func texts() throws {
    try withFanfare { fanfare in
      #expect(try make("install", in: fanfare.folder).exitCode == 0)
      let program = fanfare.folder.file("a root/usr/bin/fanfare")
      let version = try Program(path: program, ["version"], in: fanfare.folder).finish()
      #expect(try version.output == fanfare.run(["version"]).output)
      let manual = try fanfare.folder.text("a root/usr/share/man/man1/fanfare.1")
      #expect(try manual == fanfare.run(["manual"]).output)
      let zsh = try fanfare.folder.text("a root/usr/share/zsh/site-functions/_fanfare")
      #expect(try zsh == fanfare.run(["completions", "zsh"]).output)
    }
  }

  /// `make` with the program of the tests in place of a release build.
  private func make(_ target: String, in folder: TemporaryFolder) throws -> Program.Result {
    let words = [
      "-C", projectFolder.path, "-o", "build", target, "BINARY=\(Fanfare.path)",
      "DESTDIR=\(folder.file("a root"))", "PREFIX=/usr",
    ]
    return try run("make", words, in: folder)
  }

  /// The files below the prefix.
  private func paths(in folder: TemporaryFolder) throws -> Set<String> {
    let root = folder.file("a root/usr")
    let all = try FileManager.default.subpathsOfDirectory(atPath: root)
    return Set(
      all.filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
          && !isFolder.boolValue
      })
  }
}
