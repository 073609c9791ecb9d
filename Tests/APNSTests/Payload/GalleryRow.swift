import APNS
import Foundation
import Testing

/// A row of the table in `payloads/README.md`.
struct GalleryRow: Sendable, CustomTestStringConvertible {
  /// The path inside the folder, as it is shown.
  var file: String
  /// The path the row links to.
  var link: String
  var type: String
  var summary: String
  /// The option that says what the push is about: `--bundle-id` or `--topic`.
  var aboutOption: String
  /// The value of that option.
  var about: String
  /// The value of `--type`; nil without one.
  var typeOption: String?
  /// The value of `--payload`.
  var payloadOption: String

  var testDescription: String { file }

  /// Every row, in the order of the table.
  static func all() throws -> [GalleryRow] {
    let file = GalleryFile.gallery.appending(path: "README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
      .map(GalleryRow.init)
  }

  private init(_ line: Substring) throws {
    let cells = /\| \[(.+?)\]\((.+?)\) \| (\w+) \| (.+?) \| `fanfare send --env emulator (.+)` \|/
    let row = try #require(try cells.wholeMatch(in: line), "this row cannot be read: \(line)")
    let options =
      /(--bundle-id|--topic) (\S+)(?: --type (\w+))? --payload (\S+) --to \$TOKEN(?: --dry-run)?/
    let command = try #require(try options.wholeMatch(in: row.5), "not the usual options: \(line)")
    (file, link) = (String(row.1), String(row.2))
    (type, summary) = (String(row.3), String(row.4))
    (aboutOption, about) = (String(command.1), String(command.2))
    (typeOption, payloadOption) = (command.3.map(String.init), String(command.4))
  }
}

extension GalleryRow {
  /// The topic of the command's request: the bundle id with the suffix of the type, or as given.
  func topic() throws -> String {
    guard aboutOption == "--bundle-id" else { return about }
    return Topic(try BundleID(about), for: try #require(PushType(rawValue: type))).text
  }
}
