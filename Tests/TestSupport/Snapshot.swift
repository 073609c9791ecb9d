public import Foundation
public import Testing

/// Compares a text with the file of that name in the nearest folder `Snapshots` above the test.
///
/// With `RECORD_SNAPSHOTS` set it writes the file instead, and fails, so that no run that records
/// can pass for one that compares.
public func expectSnapshot(
  _ text: String, _ name: String, test: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try expectSnapshot(
    text, in: try snapshots(of: test).appending(path: name), sourceLocation: sourceLocation)
}

/// The nearest folder `Snapshots` above a test's file.
private func snapshots(of test: String) throws -> URL {
  var folder = URL(filePath: test).deletingLastPathComponent()
  while folder.path.count > projectFolder.path.count {
    let snapshots = folder.appending(path: "Snapshots")
    if FileManager.default.fileExists(atPath: snapshots.path) { return snapshots }
    folder = folder.deletingLastPathComponent()
  }
  throw CocoaError(.fileNoSuchFile)
}

/// Compares a text with a file, as with one in `Snapshots`: for documents that are made of tables.
public func expectSnapshot(
  _ text: String, in file: URL, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let name = file.lastPathComponent
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try text.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("recorded \(name)", sourceLocation: sourceLocation)
    return
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(text == expected, "differs from \(name)", sourceLocation: sourceLocation)
}
