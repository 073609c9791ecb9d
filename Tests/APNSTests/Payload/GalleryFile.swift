import APNS
import Foundation
import JSONText
import Testing

/// A file of the folder `payloads`.
struct GalleryFile: Sendable, CustomTestStringConvertible {
  /// The folder itself.
  static let gallery = URL(filePath: #filePath).appending(path: "../../../../payloads")
    .standardizedFileURL

  /// The path inside the folder: `alert/plain.json`.
  var path: String
  var bytes: [UInt8]

  var testDescription: String { path }

  /// The folder it lies in, which has the name of its push type; empty when it lies in none.
  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// Every file but the README, in the order of their paths.
  static func all() throws -> [GalleryFile] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: gallery.path)
    return try paths.filter { $0 != "README.md" && !$0.contains(".DS_Store") }.sorted()
      .compactMap(GalleryFile.init)
  }

  /// Reads a file; nil for a folder.
  private init?(path: String) throws {
    let file = Self.gallery.appending(path: path)
    if try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true { return nil }
    self.path = path
    bytes = Array(try Data(contentsOf: file))
  }
}

extension GalleryFile {
  /// The time of sending.
  private static let now: Int64 = 1_795_246_200

  func json() throws -> JSON { try JSONReader().read(bytes) }

  /// The payload as it is sent to a device token without variables.
  func rendered() throws -> JSON {
    try #require(try draft(topic: "com.example.shop").payload?.json)
  }

  func info() throws -> PushTypeInfo {
    try #require(PushType(rawValue: folder)?.info, "\(folder) is not a push type")
  }

  /// What the rules say to a notification with this payload, however its sender signs in.
  func problems(topic: String) throws -> [Problem] {
    let draft = try draft(topic: topic)
    let info = try info()
    return info.authentication.subtracting(info.doubtfulAuthentication).flatMap {
      RuleTable.problems(in: draft, RuleContext(now: Self.now, authentication: $0))
    }
  }

  private func draft(topic: String) throws -> Draft {
    let fields = [
      DraftField(.topic, topic), DraftField(.pushType, folder),
      DraftField(.priority, try info().defaultPriority.description),
    ]
    let draft = Draft(fields: fields, payload: DraftPayload(reading: bytes, file: path))
    return try Template(draft, in: RuleContext(now: Self.now))?.filled() ?? draft
  }
}
