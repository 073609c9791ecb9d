#if os(Linux)
import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

@Suite("install.sh", .needs("python3"), .needs("curl"))
struct InstallerTests {
  private static let script = projectFolder.appending(path: "Packaging/install.sh").path
  /// Once everything was installed.
  private static let installed = [
    "bin/fanfare", "share/bash-completion/completions/fanfare",
    "share/fish/vendor_completions.d/fanfare.fish", "share/man/man1/fanfare.1",
    "share/zsh/site-functions/_fanfare",
  ]

  private func install(
    _ site: ReleaseSite, _ words: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    let script = Program.Input.file(Self.script)
    return try Program(
      path: requirePath(of: "sh"), ["-s", "--"] + words, in: site.folder, input: script,
      environment: site.environment(environment)
    ).finish()
  }

  /// The files below the default prefix, the installer's own included.
  private func files(_ site: ReleaseSite) throws -> [String] {
    let prefix = site.folder.file("home/.local")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: prefix)) ?? []
    return paths.filter { path in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(prefix)/\(path)", isDirectory: &isFolder)
      return !isFolder.boolValue
    }.sorted()
  }

  private func version(_ site: ReleaseSite) throws -> String {
    try Program(path: site.folder.file("home/.local/bin/fanfare"), ["version"], in: site.folder)
      .finish().output
  }

  @Test(
    "of a release installs the program that was packaged, which runs, and takes it away",
    .needs("strip"), .needs("objdump"))
  func release() throws {
    try withRelease { release in
      let site = try ReleaseSite(in: release.folder)
      let result = try release.make(
        "archive", "installer", environment: ["RELEASE_PROJECT": site.project])
      try #require(result.exitCode == 0, "\(result.errors)")
      try site.mustRun(
        """
        ln -s "$PWD/packages" site/fanfare/releases/download/v\(fanfareVersion)
        mkdir site/fanfare/releases/latest
        ln -s ../download/v\(fanfareVersion) site/fanfare/releases/latest/download
        """)
      // As people do it; the release's own copy knows the project.
      let line = "curl -fsSL \(site.project)/releases/latest/download/install.sh | sh"
      let environment = site.environment(["FANFARE_PROJECT": ""])
      let installed = try Program(
        path: requirePath(of: "bash"), ["-c", line], in: site.folder, environment: environment
      ).finish()
      #expect(installed.exitCode == 0, "\(installed.errors)")
      #expect(try files(site) == Self.installed)
      #expect(try version(site) == "fanfare \(fanfareVersion)\n")
      #expect(try install(site, "--uninstall").exitCode == 0)
      #expect(try files(site) == [])
    }
  }

  @Test("replaces an older release, or puts the one that is named below the folder that is named")
  func versions() throws {
    try withReleaseSite { site in
      for number in ["1.2.3", "1.10.0"] {
        try site.publish(number)
        let result = try install(site)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try version(site) == "fanfare \(number) own\n")
        #expect(try files(site) == Self.installed)
      }
      for words in [["--version", "v1.2.3"], ["--version", "1.2.3"]] {
        let result = try install(site, words[0], words[1], "--prefix", site.folder.file("a b"))
        #expect(result.output.contains("fanfare 1.2.3 is in \(site.folder.file("a b/bin"))"))
      }
      let absent = try install(site, "--version", "9.9.9")
      #expect(absent.exitCode == 1 && absent.errors.contains("there is no release at"))
    }
  }

  @Test("takes the archive of the newest version of this system that is not newer than this one")
  func systems() throws {
    let own = try ReleaseSite.system
    try withReleaseSite { site in
      let systems = ["0.5", "1", "999"].map { own.name + $0 } + ["other1", "\(own.name)x1"]
      try site.publish("1.2.3", systems: systems)
      #expect(try install(site).exitCode == 0)
      // What has no version, such as Debian's unstable release, is newer than all others.
      let best = own.version.isEmpty ? "999" : "1"
      #expect(try version(site) == "fanfare 1.2.3 \(own.name)\(best)\n")
      try site.publish("1.2.4", systems: ["other1"])
      let other = try install(site)
      #expect(other.exitCode == 2)
      #expect(other.errors.contains("there is no archive for \(own.name)"))
      #expect(other.errors.contains("\(site.project) says how to build fanfare"))
    }
  }

  /// What is done to the newest archive, and what is said of it.
  static let faults = [
    ("truncate --size=-3 \"$1\"", "is not the file that SHA256SUMS lists"),
    ("echo more >>\"$1\"", "is not the file that SHA256SUMS lists"),
    ("rm \"$1\"", "did not arrive"),
    ("truncate --size=-3 \"$1\"; sums", "cannot be unpacked"),
    ("tar -czf \"$1\" --files-from /dev/null; sums", "lacks bin/fanfare"),
  ]

  @Test("changes nothing for an archive that is cut off, altered or no release", arguments: faults)
  func faulty(_ fault: (change: String, words: String)) throws {
    try withReleaseSite { site in
      try site.publish("1.2.3")
      #expect(try install(site).exitCode == 0)
      try site.publish("1.2.4")
      let sums = "sums() { (cd \"${1%/*}\" && sha256sum *.tar.gz >SHA256SUMS); }"
      let change = fault.change.replacing("; sums", with: "; sums \"$1\"")
      try site.mustRun("\(sums); set -- '\(site.archive(of: "1.2.4"))'; \(change)")
      let result = try install(site)
      #expect(result.exitCode == 1)
      #expect(result.errors.contains(fault.words), "\(result.errors)")
      #expect(result.errors.contains("nothing was changed"))
      #expect(try version(site) == "fanfare 1.2.3 own\n")
      #expect(try files(site) == Self.installed)
    }
  }

  @Test("changes nothing for a program that does not run here")
  func broken() throws {
    try withReleaseSite { site in
      try site.publish("1.2.4", program: "#!/bin/sh\necho 'GLIBC_9 not found' >&2; exit 1\n")
      let result = try install(site)
      #expect(result.exitCode == 1 && result.errors.contains("GLIBC_9 not found"))
      #expect(result.errors.contains("does not run on this machine; nothing was changed"))
      #expect(try files(site) == [])
    }
  }

  @Test("does nothing when the script itself is cut off, wherever that is")
  func cut() throws {
    let lines = try String(contentsOfFile: Self.script, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    try withReleaseSite { site in
      try site.publish("1.2.3")
      for count in stride(from: 1, to: lines.count - 2, by: 7) {
        try site.folder.write("part", lines.prefix(count).joined(separator: "\n"))
        _ = try Program(
          path: requirePath(of: "sh"), [site.folder.file("part")], in: site.folder,
          environment: site.environment()
        ).finish()
      }
      #expect(try files(site) == [])
    }
  }

  /// How `gh` answers to `auth` and to `attestation verify`, and what is then said; nil when nothing
  /// is installed.
  static let origins: [(auth: Int, verify: Int, words: String, isInstalled: Bool)] = [
    (0, 0, "verified the checksum, and that fanfare built the archive", true),
    (0, 1, "no build of fanfare is known to have made", false),
    (1, 1, "verified only the checksum", true),
  ]

  @Test("has gh verify who built the archive, where it is signed in", arguments: origins)
  func origin(_ case: (auth: Int, verify: Int, words: String, isInstalled: Bool)) throws {
    try withReleaseSite { site in
      try site.publish("1.2.3")
      try site.folder.writeProgram(
        "bin/gh",
        """
        #!/bin/sh
        echo "$@" >>calls
        case "$1 $2" in
          "auth status") exit \(`case`.auth) ;;
          "attestation verify") exit \(`case`.verify) ;;
        esac

        """)
      let result = try install(site)
      #expect((result.output + result.errors).contains(`case`.words))
      #expect(result.exitCode == (`case`.isInstalled ? 0 : 1))
      #expect(try files(site) == (`case`.isInstalled ? Self.installed : []))
      let calls = try site.folder.lines("calls").filter { $0.hasPrefix("attestation verify") }
      #expect(calls.allSatisfy { $0.hasSuffix(".tar.gz --repo fanfare") })
    }
  }

  @Test("names the libraries that are missing and the command that installs them, or runs it")
  func libraries() throws {
    try withReleaseSite { site in
      try site.publish("1.2.3")
      let missing = "libcrypto.so.3 libnghttp2.so.14 libpq.so.5 libssl.so.3 libstdc++.so.6"
      try site.folder.writeProgram(
        "bin/ldd",
        """
        #!/bin/sh
        [ -e apt-calls ] || for name in \(missing); do echo "	$name => not found"; done

        """)
      try site.folder.writeProgram("bin/id", "#!/bin/sh\necho 0\n")
      try site.folder.writeProgram("bin/apt-get", "#!/bin/sh\necho \"$@\" >>apt-calls\n")
      let told = try install(site)
      #expect(told.exitCode == 0)
      #expect(told.output.contains("it needs libraries that are not installed: \(missing)"))
      let install = "install --yes --no-install-recommends "
      let packages = "libnghttp2-14 libpq5 libssl3 libstdc++6"
      #expect(told.output.contains("apt-get update && apt-get \(install)\(packages)\n"))
      #expect(try !site.folder.names().contains("apt-calls"))
      #expect(try self.install(site, "--libraries").exitCode == 0)
      #expect(try site.folder.lines("apt-calls") == ["update", "\(install)\(packages)"])
    }
  }

  @Test("on macOS takes its archive, and names the formulas that are missing")
  func mac() throws {
    try withReleaseSite { site in
      let programs = [
        "uname": "case $1 in -m) echo arm64 ;; *) echo Darwin ;; esac", "sw_vers": "echo 26.1",
        "brew": "echo '\(site.folder.file("brew"))'",
      ]
      for (name, script) in programs {
        try site.folder.writeProgram("bin/\(name)", "#!/bin/sh\n\(script)\n")
      }
      try site.folder.makeFolder("brew/opt/curl")
      try site.publish("1.2.3", systems: ["macos15"], machine: "arm64")
      let result = try install(site)
      #expect(result.exitCode == 0, "\(result.errors)")
      let missing = "libmicrohttpd libnghttp2 libpq openssl@3 sqlite"
      #expect(result.output.contains("to install them: brew install \(missing)\n"))
      #expect(try version(site) == "fanfare 1.2.3 macos15\n")
    }
  }

  /// Words and variables that are refused, and what is said.
  static let refusals: [([String], [String: String], String)] = [
    (["--verison"], [:], "unknown option '--verison'"),
    (["--version"], [:], "--version needs a value"),
    (["--uninstall"], [:], "fanfare is not installed below"),
    ([], ["HOME": ""], "HOME is not set"),
    ([], ["FANFARE_PROJECT": "http://example.com/fanfare"], "is not an https address"),
    ([], ["FANFARE_PROJECT": ""], "set FANFARE_PROJECT"),
  ]

  @Test("refuses what it cannot do", arguments: refusals)
  func refuses(_ words: [String], _ variables: [String: String], _ sentence: String) throws {
    try withReleaseSite { site in
      let result = try Program(
        path: requirePath(of: "sh"), [Self.script] + words, in: site.folder,
        environment: site.environment(variables)
      ).finish()
      #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result.errors)")
    }
  }
}
#endif
