internal import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the test where a program is not installed; with `CI=true` the test runs, and fails.
  public static func needs(_ program: String) -> Self {
    .enabled(if: isCI || path(of: program) != nil, "\(program) is not installed")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test where there is no PostgreSQL server to start; with `CI=true` the test runs, and
  /// fails. `Scripts/install-dependencies --development` installs one.
  public static var needsPostgreSQL: Self {
    .enabled(if: hasPostgreSQL, "there is no PostgreSQL server to start")
  }
}

/// Whether there is a PostgreSQL server to start. With `CI=true` there has to be one; `make quick`
/// sets `FANFARE_NO_POSTGRESQL` to do without.
public let hasPostgreSQL =
  isCI
  || ProcessInfo.processInfo.environment["FANFARE_NO_POSTGRESQL"] == nil
    && path(of: "initdb") != nil

/// The tests run where every tool has to be installed.
public let isCI = ProcessInfo.processInfo.environment["CI"] == "true"

/// Runs a program in an empty home folder and gives what it wrote, errors included.
public func output(of program: String, _ arguments: String...) throws -> String {
  try withTemporaryFolder { folder in
    let run = try Program(path: requirePath(of: program), arguments, in: folder).finish()
    return run.output + run.errors
  }
}

/// Runs a program in a folder.
public func run(
  _ program: String, _ arguments: [String], in folder: TemporaryFolder
) throws -> Program.Result {
  try Program(path: requirePath(of: program), arguments, in: folder).finish()
}

/// Where a program is installed; a failure of the test when it is not.
public func requirePath(of program: String) throws -> String {
  try #require(path(of: program), "\(program) is missing")
}

/// Gives a text a file of its own for as long as the body runs.
public func withFile<Result>(
  _ name: String, _ text: String, _ body: (String) throws -> Result
) throws -> Result {
  try withTemporaryFolder { folder in
    try body(folder.write(name, text))
  }
}

/// The folders that programs are looked for in: the caller's, and those that hold servers.
let searchPath =
  preferredPath + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
  + ":/usr/sbin" + databaseFolders.map { ":" + $0 }.joined()

/// Where PostgreSQL's server is, beside the `PATH`; the newest first. `Scripts/install-dependencies`
/// looks there too.
private let databaseFolders: [String] = {
  let versions = [
    ("/usr/lib/postgresql", ""), ("/usr", "pgsql-"), ("/opt/homebrew/opt", "postgresql@"),
    ("/usr/local/opt", "postgresql@"),
  ]
  return versions.flatMap { folder, prefix in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(prefix) && Int($0.dropFirst(prefix.count)) != nil }
      .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "\(folder)/\($0)/bin" }
  }
}()

/// The `openssl` of macOS is LibreSSL's, which knows fewer options.
#if os(macOS)
private let preferredPath = "/opt/homebrew/opt/openssl@3/bin:/usr/local/opt/openssl@3/bin:"
#else
private let preferredPath = ""
#endif

private func path(of program: String) -> String? {
  searchPath.split(separator: ":").map { "\($0)/\(program)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
