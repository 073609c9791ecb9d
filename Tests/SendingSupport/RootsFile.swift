import Foundation

/// A file with the certificate of an authority, there as long as anybody holds it.
package final class RootsFile: Sendable {
  package let path: String

  package init(_ pem: String) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "roots-\(UUID().uuidString)")
    path = url.path
    try Data(pem.utf8).write(to: url)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
