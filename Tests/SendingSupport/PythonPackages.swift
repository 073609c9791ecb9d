import Foundation
import TestSupport
package import Testing

/// Packages from the Python Package Index. They are installed once, into a folder beside the built
/// program, and need no network after that.
package struct PythonPackages: Sendable {
  private let requirements: [String]
  /// The Python that has them; an error when they cannot be installed here.
  private let installed: Result<String, any Error>

  /// - Parameters:
  ///   - folder: the name of the folder.
  ///   - proof: a program that ends well when what the tests need of them is there.
  package init(_ requirements: [String], folder: String, proof: String) {
    self.requirements = requirements
    installed = Result { try Self.install(requirements, folder, proof) }
  }

  /// Whether a Python has them.
  package var areInstalled: Bool { (try? installed.get()) != nil }

  /// The Python that has them; a failure of the test that says why there is none.
  package var python: String {
    get throws { try installed.get() }
  }

  fileprivate var absence: Comment {
    "python3 cannot install \(requirements.joined(separator: " and "))"
  }

  /// In seconds. A network that swallows packets must not stop the tests for long.
  private static let limit = 120

  private static func install(
    _ requirements: [String], _ name: String, _ proof: String
  ) throws -> String {
    let folder = URL(filePath: Fanfare.path).deletingLastPathComponent().appending(path: name).path
    let python = "\(folder)/bin/python"
    let mark = "\(folder)/installed"
    let wanted = requirements.joined(separator: "\n")
    if (try? String(contentsOfFile: mark, encoding: .utf8)) == wanted { return python }
    // The package index may have a bad moment.
    do { try fill(folder, requirements, proof) } catch { try fill(folder, requirements, proof) }
    try Data(wanted.utf8).write(to: URL(filePath: mark))
    return python
  }

  private static func fill(_ folder: String, _ requirements: [String], _ proof: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    let python = "\(folder)/bin/python"
    try withTemporaryFolder { here in
      // A venv that installs pip itself does not say why it could not.
      try perform(requirePath(of: "python3"), ["-m", "venv", "--without-pip", folder], in: here)
      try perform(python, ["-m", "ensurepip", "--default-pip"], in: here)
      let options = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
      try perform(python, ["-m", "pip", "install"] + options + requirements, in: here)
      try perform(python, ["-c", proof], in: here)
    }
  }

  private static func perform(
    _ path: String, _ words: [String], in folder: TemporaryFolder
  ) throws {
    let result = try Program(path: path, words, in: folder, environment: settings, limit: limit)
      .finish()
    if result.exitCode != 0 {
      throw PythonError(description: result.output + result.errors)
    }
  }

  /// Where the packages are, if the caller says so.
  private static var settings: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      name.hasPrefix("PIP_") || name.lowercased().hasSuffix("_proxy")
    }
  }
}

/// What Python said.
private struct PythonError: Error, CustomStringConvertible {
  let description: String
}

extension Trait where Self == ConditionTrait {
  /// Skips the test where Python packages cannot be installed; with `CI=true` the test runs, and
  /// fails.
  package static func needs(_ packages: @autoclosure @escaping @Sendable () -> PythonPackages)
    -> Self
  {
    .enabled(packages().absence) { isCI || packages().areInstalled }
  }
}
