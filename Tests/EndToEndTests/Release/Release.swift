import Foundation
import SendingSupport
import TestSupport
import Testing

/// `Scripts/release`, which packages the program of the tests into a folder.
struct Release {
  let folder: TemporaryFolder
  /// The tree whose script runs.
  var tree = projectFolder.path

  /// The folder that the packages are put into.
  var packages: TemporaryFolder { folder.folder("packages") }

  /// The only package whose name ends so.
  func package(_ ending: String) throws -> String {
    let names = try packages.names().filter { $0.hasSuffix(ending) }
    try #require(names.count == 1, "\(names)")
    return packages.file(names[0])
  }

  /// Runs the script; the program of the tests needs Swift's shared libraries.
  func make(
    _ words: String..., options: [String] = ["--dynamic"], environment: [String: String] = [:]
  ) throws -> Program.Result {
    // A debug build is large; without the level, packing it takes half a minute.
    let own = ["RELEASE_FOLDER": packages.path, "DPKG_DEB_COMPRESSOR_LEVEL": "0"]
    return try Program(
      path: requirePath(of: "bash"), ["\(tree)/Scripts/release"] + options + [Fanfare.path] + words,
      in: folder, environment: own.merging(environment) { $1 }
    ).finish()
  }

  /// Runs it, and requires that it makes what it is asked for.
  func mustMake(_ part: String, environment: [String: String] = [:]) throws {
    let result = try make(part, environment: environment)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  /// A command that must work.
  ///
  /// - Returns: the lines that it prints.
  func lines(_ program: String, _ words: String...) throws -> [Substring] {
    let result = try run(program, words, in: folder)
    try #require(result.exitCode == 0, "\(result.errors)")
    return result.output.split(separator: "\n")
  }
}

/// Gives a release an empty folder.
func withRelease<Result>(_ body: (Release) throws -> Result) throws -> Result {
  try withTemporaryFolder { try body(Release(folder: $0)) }
}

/// Gives a release a tree of its own, without git, with just the files that the script reads.
func withReleaseTree<Result>(_ body: (Release) throws -> Result) throws -> Result {
  try withTemporaryFolder { folder in
    try folder.makeFolder("tree/Sources/Reporting/System")
    let names = [
      "Scripts", "Packaging", "CHANGELOG.md", "LICENSE", "README.md", ".gitignore",
      "Sources/Reporting/System/Version.swift",
    ]
    for name in names {
      try FileManager.default.copyItem(
        atPath: projectFolder.appending(path: name).path, toPath: folder.file("tree/\(name)"))
    }
    return try body(Release(folder: folder, tree: folder.file("tree")))
  }
}
