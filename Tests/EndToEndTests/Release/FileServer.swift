import Foundation
import SendingSupport
import TestSupport
import Testing

/// A web server on loopback for the files of a folder.
final class FileServer {
  /// Its address, such as `http://127.0.0.1:39063`.
  let address: String
  private let program: Program

  init(_ folder: TemporaryFolder) throws {
    let words = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    program = try Program(path: requirePath(of: "python3"), words, in: folder)
    let line = try #require(program.readLine())
    let port = try #require(line.firstMatch(of: /port (\d+)/)?.1)
    address = "http://127.0.0.1:\(port)"
  }

  deinit { program.send(SIGKILL) }
}

/// A project that has releases, on a web server on loopback, and a machine on which to install them.
struct ReleaseSite {
  let folder: TemporaryFolder
  private let server: FileServer

  /// The project's address.
  var project: String { "\(server.address)/fanfare" }
  /// Where the releases are.
  var releases: TemporaryFolder { folder.folder("site/fanfare/releases") }

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    try folder.makeFolder("site/fanfare/releases/download")
    try folder.makeFolder("bin")
    server = try FileServer(folder.folder("site"))
  }

  /// The system as archives name it, and its version.
  static var system: (name: String, version: String) {
    get throws {
      let script = ". /etc/os-release && echo \"$ID ${VERSION_ID:-}\""
      let words = try withTemporaryFolder {
        try run("sh", ["-c", script], in: $0).output.split(whereSeparator: \.isWhitespace)
      }
      return (String(words[0]), words.count > 1 ? String(words[1]) : "")
    }
  }

  /// What archives for this machine are called.
  static func archive(
    _ version: String, system: String? = nil, machine: String? = nil
  ) throws -> String {
    let own = try self.system
    let real = try withTemporaryFolder { try run("uname", ["-m"], in: $0).output.dropLast() }
    return "fanfare-\(version)-\(system ?? own.name + own.version)-\(machine ?? String(real))"
  }

  /// Publishes an archive for this machine as the newest release.
  ///
  /// - Parameters:
  ///   - program: what stands in the place of the program.
  ///   - systems: the systems it has archives for; this one when it is nil.
  ///   - machine: the machine they are for; this one when it is nil.
  func publish(
    _ version: String, program: String? = nil, systems: [String?] = [nil], machine: String? = nil
  ) throws {
    let place = "site/fanfare/releases/download/v\(version)"
    try folder.makeFolder(place)
    for system in systems {
      let name = try Self.archive(version, system: system, machine: machine)
      let text = program ?? "#!/bin/sh\necho 'fanfare \(version) \(system ?? "own")'\n"
      let script = """
        umask 022; mkdir -p \(name)/bin && cat >\(name)/bin/fanfare && chmod 755 \(name)/bin/fanfare
        for file in man/man1/fanfare.1 bash-completion/completions/fanfare \
          zsh/site-functions/_fanfare fish/vendor_completions.d/fanfare.fish; do
          mkdir -p \(name)/share/${file%/*}; echo text >\(name)/share/$file
        done
        tar -czf \(place)/\(name).tar.gz \(name); rm -r \(name)
        """
      try mustRun(script, input: folder.write("program", text))
    }
    try mustRun(
      "cd \(place) && sha256sum *.tar.gz >SHA256SUMS && cd ../.. && rm -rf latest && mkdir latest "
        + "&& ln -s ../download/v\(version) latest/download")
  }

  /// The archive of a release for this machine.
  func archive(of version: String) throws -> String {
    let name = try Self.archive(version)
    return releases.file("download/v\(version)/\(name).tar.gz")
  }

  /// A shell command that must work.
  func mustRun(_ script: String, input: String? = nil) throws {
    let source = input.map { Program.Input.file($0) } ?? .nothing
    let result = try Program(
      path: requirePath(of: "bash"), ["-ec", script], in: folder, input: source
    ).finish()
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  /// The variables of a machine whose programs are this one's, with those in `bin` before them.
  func environment(_ more: [String: String] = [:]) -> [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let own = [
      "PATH": "\(folder.file("bin")):\(path)", "FANFARE_PROJECT": project,
      "HOME": folder.file("home"),
    ]
    return own.merging(more) { $1 }
  }
}

/// Gives a project without a release an empty folder.
func withReleaseSite<Result>(_ body: (ReleaseSite) throws -> Result) throws -> Result {
  try withTemporaryFolder { try body(ReleaseSite(in: $0)) }
}
