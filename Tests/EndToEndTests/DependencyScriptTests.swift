import Foundation
import SendingSupport
import TestSupport
import Testing

/// Runs `Scripts/install-dependencies` on machines that consist of a few made-up programs.
@Suite("Installing dependencies", .needs("bash"))
struct DependencyScriptTests {
  private static let libraries = [
    "apt-get": [
      "libcurl4-openssl-dev", "libmicrohttpd-dev", "libnghttp2-dev", "libpq-dev",
      "libsqlite3-dev", "libssl-dev", "make", "pkg-config",
    ],
    "dnf": [
      "libcurl-devel", "libmicrohttpd-devel", "libnghttp2-devel", "libpq-devel", "make",
      "openssl-devel", "pkgconf-pkg-config", "sqlite-devel",
    ],
    "apk": [
      "curl-dev", "libmicrohttpd-dev", "libpq-dev", "make", "nghttp2-dev", "openssl-dev",
      "pkgconf", "sqlite-dev",
    ],
    "brew": ["curl", "libmicrohttpd", "libnghttp2", "libpq", "openssl@3", "sqlite"],
  ]

  @Test(
    "asks each package manager of Linux for its own names", arguments: ["apt-get", "dnf", "apk"])
  func linux(_ manager: String) throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Linux")
      try machine.addManager(manager, bringing: ["make", "pkg-config"])
      let result = try machine.install()
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      #expect(try machine.installed(by: manager) == Self.libraries[manager])
      #expect(try machine.install().output.contains("everything is already installed"))
    }
  }

  @Test("on macOS, libraries that pkg-config finds in the system do not count")
  func systemLibraries() throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Darwin")
      for name in ["make", "pkg-config"] { try machine.add(name) }
      try machine.addManager("brew", bringing: Machine.formulas)
      let result = try machine.install()
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      #expect(try machine.installed(by: "brew") == Self.libraries["brew"])
      #expect(try machine.install().output.contains("everything is already installed"))
    }
  }

  @Test("on macOS, only what the formula's own prefix lacks is installed")
  func prefixes() throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Darwin")
      try machine.add("make")
      for formula in ["curl/libcurl", "sqlite/sqlite3"] { try machine.add(formula) }
      try machine.addManager("brew", bringing: ["pkg-config"] + Machine.formulas)
      #expect(try machine.install().exitCode == 0)
      #expect(
        try machine.installed(by: "brew") == [
          "libmicrohttpd", "libnghttp2", "libpq", "openssl@3", "pkgconf",
        ])
    }
  }

  @Test("on macOS, tools that only Linux has are not asked for")
  func tools() throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Darwin")
      for name in ["make", "pkg-config"] { try machine.add(name) }
      let brought = [
        "fish", "groff", "h2load", "nghttpd", "openssl", "pgbouncer", "postgresql@15/bin/initdb",
      ]
      try machine.addManager("brew", bringing: brought + Machine.formulas)
      let result = try machine.install("--development")
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      let tools = [
        "chromedriver", "fish", "groff", "nghttp2", "openssl@3", "pgbouncer", "postgresql@15",
        "shellcheck",
      ]
      #expect(try machine.installed(by: "brew") == (Self.libraries["brew"] ?? []) + tools)
      #expect(!(result.output + result.errors).contains("taskset"))
      #expect(result.output.contains("not available here: shellcheck chromedriver \n"))
    }
  }

  @Test("without rights names what root has to run, and does without tools alone")
  func noRights() throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Linux")
      try machine.add("id", script: "echo 4242")
      try machine.addManager("apt-get", bringing: [])
      let libraries = try machine.install("--development")
      #expect(libraries.exitCode == 1)
      #expect(libraries.errors.contains(" libcurl4-openssl-dev "))
      #expect(
        libraries.errors.contains("Run as root: Scripts/install-dependencies --development\n"))
      for name in ["make", "pkg-config"] { try machine.add(name) }
      let tools = try machine.install("--development")
      #expect(tools.exitCode == 0 && tools.errors.contains(" shellcheck "))
      #expect(tools.errors.contains("Run as root: Scripts/install-dependencies --development\n"))
      #expect(tools.output.contains("Tests that need them are skipped."))
      #expect(!FileManager.default.fileExists(atPath: folder.file("installed-apt-get")))
    }
  }

  @Test("installs the other tools when one cannot be installed", arguments: ["brew", "apt-get"])
  func disabledTool(_ manager: String) throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: manager == "brew" ? "Darwin" : "Linux")
      for name in ["make", "pkg-config"] { try machine.add(name) }
      let tool = manager == "brew" ? "chromedriver" : "chromium-driver"
      try machine.addManager(
        manager, bringing: Machine.formulas + ["fish"], lacking: [tool])
      let result = try machine.install("--development")
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      let installed = try machine.installed(by: manager)
      #expect(installed.contains("fish") && installed.contains("shellcheck"))
      #expect(result.errors.contains("could not install \(tool)\n"))
      #expect(result.output.contains("not available here: ") && !installed.contains(tool))
    }
  }

  @Test("leaves out tools that Amazon Linux does not have, and says which")
  func rareTools() throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Linux")
      for name in ["make", "pkg-config"] { try machine.add(name) }
      try machine.addManager("dnf", bringing: ["taskset", "zsh"], lacking: ["fish", "mandoc"])
      let result = try machine.install("--development")
      #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
      let installed = try machine.installed(by: "dnf")
      #expect(installed.contains("ShellCheck") && installed.contains("nghttp2"))
      #expect(!installed.contains("fish") && !installed.contains("mandoc"))
      #expect(result.output.contains(" mandoc fish "))
      #expect(result.output.contains("Tests that need them are skipped."))
    }
  }

  @Test("on macOS, only the formula's own server counts; on Linux, one on the PATH does")
  func databaseServer() throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Darwin")
      for name in ["initdb", "make", "pkg-config"] { try machine.add(name) }
      try machine.addManager("brew", bringing: Machine.formulas + ["postgresql@15/bin/initdb"])
      #expect(try machine.install("--development").exitCode == 0)
      #expect(try machine.installed(by: "brew").contains("postgresql@15"))
    }
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Linux")
      for name in ["initdb", "make", "pkg-config"] { try machine.add(name) }
      try machine.addManager("apt-get", bringing: [])
      #expect(try machine.install("--development").exitCode == 0)
      let installed = try machine.installed(by: "apt-get")
      #expect(installed.contains("git") && !installed.contains("postgresql"))
    }
  }

  @Test("fails when a library is still missing, and without a package manager")
  func failure() throws {
    try withTemporaryFolder { folder in
      let machine = try Machine(folder, system: "Darwin")
      for name in ["make", "pkg-config"] { try machine.add(name) }
      let without = try machine.install()
      #expect(without.exitCode == 1 && without.errors.contains("https://brew.sh"))
      try machine.addManager("brew", bringing: Machine.formulas.filter { $0 != "curl/libcurl" })
      let result = try machine.install()
      #expect(result.exitCode == 1)
      #expect(result.errors.contains("still missing after installation: libcurl \n"))
    }
    try withTemporaryFolder { folder in
      let result = try Machine(folder, system: "Linux").install()
      #expect(result.exitCode == 1 && result.errors.contains("libcurl4-openssl-dev"))
    }
  }
}

/// A machine that has no programs but those in a folder of its own.
private struct Machine {
  private let folder: TemporaryFolder
  /// What the script uses of every system.
  private static let basics = ["awk", "bash", "cp", "cut", "grep", "sort", "tr"]
  /// The formulas of Homebrew, each with the file that pkg-config reads.
  static let formulas = [
    "curl/libcurl", "libnghttp2/libnghttp2", "libmicrohttpd/libmicrohttpd", "libpq/libpq",
    "openssl@3/openssl", "sqlite/sqlite3",
  ]

  init(_ folder: TemporaryFolder, system: String) throws {
    self.folder = folder
    try folder.makeFolder("bin")
    try folder.makeFolder("later")
    for name in Self.basics {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("bin/\(name)"), withDestinationPath: requirePath(of: name))
    }
    try add("uname", script: "echo \(system)")
    try add("id", script: "echo 0")
    try add("env", script: #"shift; exec "$@""#)
  }

  /// A program, which does nothing unless told, or a formula with the file for pkg-config, or with
  /// the file that is named.
  ///
  /// - Parameter place: the folder that stands for the whole machine.
  func add(_ name: String, script: String = "exit", to place: String = ".") throws {
    let parts = name.split(separator: "/")
    let path =
      switch parts.count {
      case 1: "\(place)/bin/\(name)"
      case 2: "\(place)/brew/opt/\(parts[0])/lib/pkgconfig/\(parts[1]).pc"
      default: "\(place)/brew/opt/\(name)"
      }
    try folder.writeProgram(path, "#!/bin/sh\n\(script)\n")
  }

  /// A package manager that writes down what it installs.
  ///
  /// - Parameters:
  ///   - names: programs and formulas that are there once it has installed something.
  ///   - packages: it says that it does not have these, and installs nothing together with them.
  func addManager(
    _ name: String, bringing names: [String], lacking packages: [String] = []
  ) throws {
    for name in names { try add(name, to: "later") }
    let script = """
      case " $* " in
        *" --prefix "*) echo "$PWD/brew"; exit ;;
        *" list "*) case " \(packages.joined(separator: " ")) " in *" $3 "*) exit 1 ;; esac; exit ;;
        *" install "* | *" add "*) ;;
        *) exit ;;
      esac
      for word; do
        case " \(packages.joined(separator: " ")) " in *" $word "*) exit 1 ;; esac
      done
      for word; do
        case $word in install | add | -*) ;; *) echo "$word" >>installed-\(name) ;; esac
      done
      cp -R later/. .
      """
    try add(name, script: script)
  }

  func install(_ words: String...) throws -> Program.Result {
    let script = projectFolder.appending(path: "Scripts/install-dependencies").path
    return try Program(
      path: requirePath(of: "bash"), [script] + words, in: folder,
      environment: ["PATH": folder.file("bin")]
    ).finish()
  }

  func installed(by manager: String) throws -> [String] {
    try folder.lines("installed-\(manager)").map(String.init)
  }
}
