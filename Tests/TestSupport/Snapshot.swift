public import Foundation
public import Testing

/// Compares a text with the file of that name in `Snapshots`, beside the test.
///
/// With `RECORD_SNAPSHOTS` set it writes the file instead, and fails, so that no run that records
/// can pass for one that compares.
public func expectSnapshot(
  _ text: String, _ name: String, test: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: test).deletingLastPathComponent().appending(path: "Snapshots")
  try expectSnapshot(text, in: folder.appending(path: name), sourceLocation: sourceLocation)
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
