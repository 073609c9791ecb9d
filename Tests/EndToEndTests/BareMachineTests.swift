import Foundation
import SendingSupport
import TestSupport
import Testing

/// Whether this is Linux, and mounts can be made that nobody else sees.
private let canMount =
  geteuid() == 0
  && (try? withTemporaryFolder {
    try run("unshare", ["--mount", "--pid", "--fork", "true"], in: $0)
  })?
  .exitCode == 0

/// Runs `Scripts/bare-machine` on a project of one file, with a system that has little more than a shell.
@Suite("A bare machine", .needs("bash"))
struct BareMachineTests {
  private static let system = """
    #!/bin/sh
    for folder; do :; done
    mkdir "$folder" && cd "$folder"
    mkdir -m 1777 tmp
    mkdir -p proc dev etc/ssl/certs bin srv
    for program in /bin/bash /bin/sh /bin/chmod; do
      cp -L $program bin
      for file in $(ldd $program | grep -o '/[^ )]*'); do
        mkdir -p ".${file%/*}" && cp -L "$file" ".$file"
      done
    done
    echo root:x:0:0::/root:/bin/bash >etc/passwd
    """

  private static let project = """
    mkdir -p bin cache project/Scripts
    cp "$0" project/Scripts
    cat >bin/mmdebstrap
    mkdir -p toolchain/usr/lib/swift
    cat >bin/swift <<END
    echo '"runtimeResourcePath": "$PWD/toolchain/usr/lib/swift"'
    END
    chmod 755 bin/*
    cd project && git init --quiet && git add . &&
      git -c user.name=a -c user.email=a@example.com commit --quiet --message=One
    """

  /// Starts the script with a system of its own.
  private func start(_ words: String..., in folder: TemporaryFolder) throws -> Program {
    let script = projectFolder.appending(path: "Scripts/bare-machine").path
    let input = try folder.write("system", Self.system)
    let made = try Program(
      path: requirePath(of: "bash"), ["-ec", Self.project, script], in: folder, input: .file(input)
    ).finish()
    try #require(made.exitCode == 0, "\(made.errors)")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try Program(
      path: folder.file("project/Scripts/bare-machine"), words, in: folder,
      environment: [
        "PATH": folder.file("bin") + ":" + path, "XDG_CACHE_HOME": folder.file("cache"),
      ])
  }

  /// What is left in the cache.
  private func kept(_ folder: TemporaryFolder) throws -> [String] {
    try folder.folder("cache/fanfare/bare-machine").names()
  }

  @Test(
    "refuses what it does not know",
    arguments: [["--tiny", "trixie"], ["--minutes", "x", "a"], []])
  func refusals(_ words: [String]) throws {
    try withTemporaryFolder { folder in
      let script = projectFolder.appending(path: "Scripts/bare-machine").path
      let result = try run("bash", [script] + words, in: folder)
      #expect(result.exitCode == 2 && result.errors.hasPrefix("bare-machine: "), "\(result.errors)")
      #expect(try run("bash", [script, "--help"], in: folder).output.contains("--noexec-tmp "))
    }
  }

  @Test(
    "runs a command in a clean clone as another user, without what was taken from it",
    .enabled(if: canMount, "needs root on Linux, and mounts of its own"))
  func conditions() throws {
    try withTemporaryFolder { folder in
      let command = """
        echo "user $UID, home ${HOME-none}, files $(ulimit -n), CI $CI"
        echo *; echo exit >/tmp/new; chmod 755 /tmp/new; exec /tmp/new
        """
      let program = try start(
        "--user", "--ci", "--no-home", "--few-files", "--noexec-tmp", "--no-ipv6", "bare", command,
        in: folder)
      let result = try program.finish()
      #expect(result.output.contains("\nuser 4242, home none, files 256, CI true\nScripts\n"))
      #expect(result.errors.contains("/tmp/new: Permission denied"), "\(result.errors)")
      #expect(result.exitCode == 126)
      #expect(try kept(folder) == ["bare", "bare.lock"])
    }
  }

  @Test(
    "leaves nothing behind after Ctrl-C",
    .enabled(if: canMount, "needs root on Linux, and mounts of its own"))
  func interrupted() throws {
    try withTemporaryFolder { folder in
      let program = try start("bare", "echo started; while :; do :; done", in: folder)
      while let line = program.readLine(), line != "started" {}
      program.send(SIGINT)
      #expect(try program.finish().exitCode == 130)
      #expect(try kept(folder) == ["bare", "bare.lock"])
      let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
      #expect(mounts?.contains(folder.path) != true)
    }
  }
}
