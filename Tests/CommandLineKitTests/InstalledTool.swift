import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the test where a program is not installed; with `CI=true` the test runs, and fails.
  static func needs(_ program: String) -> Self {
    let isCI = ProcessInfo.processInfo.environment["CI"] == "true"
    return .enabled(if: isCI || path(of: program) != nil, "\(program) is not installed")
  }
}

/// Runs a program in an empty home folder and gives what it wrote, errors included.
func output(of program: String, _ arguments: String...) throws -> String {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: try #require(path(of: program), "\(program) is missing"))
  process.arguments = arguments
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = pipe
  process.standardError = pipe
  return try withTemporaryFolder { folder in
    process.currentDirectoryURL = folder
    process.environment = ["HOME": folder.path, "PATH": searchPath, "LC_ALL": "C.UTF-8"]
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Gives a text a file of its own for as long as the body runs.
func withFile<Result>(
  _ name: String, _ text: String, _ body: (String) throws -> Result
) throws -> Result {
  try withTemporaryFolder { folder in
    let file = folder.appending(path: name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return try body(file.path)
  }
}

private func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

private let searchPath =
  ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"

private func path(of program: String) -> String? {
  searchPath.split(separator: ":").map { "\($0)/\(program)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
