internal import Foundation

/// A folder of a test's own.
public struct TemporaryFolder: Sendable {
  /// Where it is, without a slash at the end.
  public let path: String

  /// One that somebody else has made, and removes.
  public init(path: String) { self.path = path }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// A folder in it.
  public func folder(_ name: String) -> TemporaryFolder { TemporaryFolder(path: file(name)) }

  /// Writes a file.
  ///
  /// - Returns: its path.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// Writes a program, and makes the folder that it is in.
  ///
  /// A shell writes it: this process may be starting a program of another test at the same moment,
  /// which holds every open file until it runs, and the system starts no program that somebody is
  /// writing ("Text file busy").
  ///
  /// - Returns: its path.
  @discardableResult
  public func writeProgram(_ name: String, _ script: String) throws -> String {
    let lines = #"mkdir -p "${0%/*}" && printf %s "$1" >"$0" && chmod 755 "$0""#
    let result = try withTemporaryFolder {
      try Program(path: "/bin/sh", ["-c", lines, file(name), script], in: $0).finish()
    }
    guard result.exitCode == 0 else { throw UnwrittenProgram(errors: result.errors) }
    return file(name)
  }

  /// Makes a folder in it.
  public func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: file(name), withIntermediateDirectories: true)
  }

  /// The text of a file.
  public func text(_ name: String) throws -> String {
    try String(decoding: Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
  }

  /// The lines of a file.
  public func lines(_ name: String) throws -> [Substring] {
    try text(name).split(separator: "\n")
  }

  /// The names of everything in it.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}

/// The shell that was to write a program could not.
struct UnwrittenProgram: Error {
  let errors: String
}

/// Makes an empty folder that is gone when the body returns.
public func withTemporaryFolder<Result>(
  _ body: (TemporaryFolder) throws -> Result
) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(TemporaryFolder(path: url.path))
}
