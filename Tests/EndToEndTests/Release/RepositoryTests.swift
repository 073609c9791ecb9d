#if os(Linux)
import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

private let hasAPT =
  getuid() == 0 && FileManager.default.fileExists(atPath: "/var/lib/dpkg/status")

@Suite(
  "The APT repository", .enabled(if: hasAPT, "needs root, on Debian or Ubuntu"),
  .needs("apt-ftparchive"), .needs("gpg"), .needs("python3"))
struct RepositoryTests {
  /// A new key, as a workflow has it in a secret.
  private static let key = Result {
    try withTemporaryFolder { folder in
      try folder.makeFolder("keys")
      let script = """
        chmod 700 keys; export GNUPGHOME=$PWD/keys
        gpg --batch --quiet --passphrase '' --quick-generate-key fanfare@example.com
        gpg --batch --armor --export-secret-keys; gpgconf --kill all
        """
      return try run("bash", ["-ec", script], in: folder).output
    }
  }

  private func makeRepository(
    _ release: Release, _ packages: String, _ name: String, key: String? = nil
  ) throws -> Program.Result {
    let script = projectFolder.appending(path: "Scripts/make-apt-repository").path
    return try Program(
      path: requirePath(of: "bash"), [script, packages, name], in: release.folder,
      environment: ["APT_SIGNING_KEY": key ?? Self.key.get()]
    ).finish()
  }

  /// The suite of this machine, or that of Debian 12, whose packages fit the program of the tests.
  private func suite(for package: String) -> String {
    if package.contains("ubuntu22.04") { return "jammy" }
    return package.contains("ubuntu24.04") ? "noble" : "bookworm"
  }

  /// A root with lists of packages of its own, in which what this machine has is installed.
  private func makeRoot(_ release: Release) throws {
    for name in [
      "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers",
      "var/lib/apt/lists/partial",
      "var/cache/apt/archives/partial", "etc/apt/apt.conf.d", "etc/apt/preferences.d",
      "etc/apt/trusted.gpg.d", "etc/apt/sources.list.d", "log",
    ] { try release.folder.makeFolder("root/\(name)") }
    let status = try String(contentsOfFile: "/var/lib/dpkg/status", encoding: .utf8)
    try release.folder.write("root/var/lib/dpkg/status", status)
  }

  /// `apt-get` with that root.
  private func apt(_ release: Release, _ words: String...) throws -> Program.Result {
    let root = release.folder.file("root")
    let options = [
      "Dir::State=\(root)/var/lib/apt", "Dir::State::status=\(root)/var/lib/dpkg/status",
      "Dir::Cache=\(root)/var/cache/apt", "Dir::Etc=\(root)/etc/apt", "Dir::Log=\(root)/log",
      "DPkg::Options::=--root=\(root)", "DPkg::Options::=--log=\(root)/log/dpkg",
      "APT::Sandbox::User=root", "Acquire::http::Proxy::127.0.0.1=DIRECT",
    ].flatMap { ["-o", $0] }
    return try run("apt-get", options + ["--yes", "-qq"] + words, in: release.folder)
  }

  /// The package once more, of a later version.
  private func makeNext(_ release: Release, of package: String) throws {
    let name = URL(filePath: package).lastPathComponent.replacing(fanfareVersion, with: "9.9.9")
    let script = """
      mkdir next && dpkg-deb --raw-extract '\(package)' tree
      sed -i 's/^Version: [^-]*/Version: 9.9.9/' tree/DEBIAN/control
      dpkg-deb -z0 --build tree 'next/\(name)'
      """
    let result = try run("bash", ["-ec", script], in: release.folder)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  private func version(_ release: Release) throws -> String {
    let program = release.folder.file("root/usr/bin/fanfare")
    return try Program(path: program, ["version"], in: release.folder).finish().output
  }

  @Test("is one from which apt installs, upgrades and purges, with its key alone")
  func installs() throws {
    try withRelease { release in
      try release.mustMake("deb")
      let package = try release.package(".deb")
      try makeNext(release, of: package)
      for (packages, name) in [("packages", "site"), ("next", "site-next")] {
        let made = try makeRepository(release, packages, name)
        try #require(made.exitCode == 0, "\(made.errors)")
      }
      try makeRoot(release)
      let server = try FileServer(release.folder.folder("."))
      func use(_ name: String, key: String) throws -> Program.Result {
        let signed = "deb [signed-by=\(release.folder.file(key))] \(server.address)/\(name)"
        try release.folder.write(
          "root/etc/apt/sources.list", "\(signed) \(suite(for: package)) main\n")
        return try apt(release, "update")
      }
      try release.folder.write("other.asc", "")
      #expect(try use("site", key: "other.asc").errors.contains("not signed"))
      let updated = try use("site", key: "site/fanfare.asc")
      #expect(updated.exitCode == 0 && updated.errors == "", "\(updated.errors)")
      let installed = try apt(release, "install", "fanfare")
      #expect(installed.exitCode == 0, "\(installed.errors)")
      #expect(try version(release) == "fanfare \(fanfareVersion)\n")
      #expect(try use("site-next", key: "site/fanfare.asc").exitCode == 0)
      #expect(try apt(release, "--only-upgrade", "install", "fanfare").exitCode == 0)
      let status = try release.folder.text("root/var/lib/dpkg/status")
      #expect(status.contains("\nVersion: 9.9.9-1~"))
      #expect(try apt(release, "purge", "fanfare").exitCode == 0)
      #expect(!FileManager.default.fileExists(atPath: release.folder.file("root/usr/bin/fanfare")))
    }
  }

  @Test("is not made without its key, and a notice says so, nor over something else")
  func refusals() throws {
    try withRelease { release in
      try release.folder.makeFolder("packages")
      let none = try makeRepository(release, "packages", "site", key: "")
      #expect(none.exitCode == 0)
      #expect(
        none.output.hasPrefix("::notice::No APT repository was made: the secret APT_SIGNING_KEY"))
      #expect(try release.folder.names().filter { $0.hasPrefix("site") } == [])
      #expect(try makeRepository(release, "packages", "packages").exitCode == 2)
      let empty = try makeRepository(release, "packages", "site")
      #expect(empty.exitCode == 1 && empty.errors.contains("found no packages in "))
      #expect(try release.folder.names().filter { $0.hasPrefix("site") } == [])
    }
  }
}
#endif
