import Foundation
import SendingSupport
import TestSupport

/// Clients that others wrote, from the Python Package Index. They are installed once, into a folder
/// beside the built program, and need no network after that.
enum PythonClients {
  static let requirements = ["aioapns==4.0", "apns2-up==0.9.0"]

  /// The Python that has them; nil when they cannot be installed here.
  static let python = try? installed()

  /// In seconds. A network that swallows packets must not stop the tests for long.
  private static let limit = 120

  private static func installed() throws -> String {
    let folder = URL(filePath: Fanfare.path).deletingLastPathComponent()
      .appending(path: "python-clients").path
    let python = "\(folder)/bin/python"
    let mark = "\(folder)/installed"
    let wanted = requirements.joined(separator: "\n")
    if (try? String(contentsOfFile: mark, encoding: .utf8)) == wanted { return python }
    try? FileManager.default.removeItem(atPath: folder)
    try withTemporaryFolder { here in
      try perform(requirePath(of: "python3"), ["-m", "venv", folder], in: here)
      let options = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
      try perform(python, ["-m", "pip", "install"] + options + requirements, in: here)
      // What the second one needs is not in every version of Python.
      try perform(
        python, ["-c", "import aioapns, apns2.client, ssl; ssl.match_hostname"], in: here)
    }
    try Data(wanted.utf8).write(to: URL(filePath: mark))
    return python
  }

  private static func perform(
    _ path: String, _ words: [String], in folder: TemporaryFolder
  ) throws {
    let result = try Program(path: path, words, in: folder, environment: settings, limit: limit)
      .finish()
    if result.exitCode != 0 { throw POSIXError(.ENOEXEC) }
  }

  /// Where the packages are, if the caller says so.
  private static var settings: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      name.hasPrefix("PIP_") || name.lowercased().hasSuffix("_proxy")
    }
  }
}
