import Foundation

/// A folder that is gone when nobody holds it any more.
package final class KeptFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func path(of name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  package func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(of: name)))
    return path(of: name)
  }

  package func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }

  /// The names of everything in it.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  package func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(of: name))))
  }
}
