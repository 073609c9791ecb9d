import Foundation
import JSONText
import SendingSupport
import TestSupport

/// A page of `docs`, by the headings of its sections.
struct DocumentSections {
  private let texts: [String: String]

  /// - Parameter name: the file in `docs`.
  init(_ name: String) throws {
    let file = projectFolder.appending(path: "docs/\(name)")
    var (texts, heading): ([String: String], String) = ([:], "")
    for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      texts[heading, default: ""] += line + "\n"
    }
    self.texts = texts
  }

  /// A section with its subsections; nil if there is none of this name.
  subscript(heading: String) -> DocumentText? { texts[heading].map(DocumentText.init) }

  /// The whole page.
  var all: DocumentText { DocumentText(text: texts.values.joined()) }
}

/// Text of a page.
struct DocumentText {
  let text: String

  /// The words between backticks, and the keys in examples.
  var names: Set<String> {
    let quoted = text.matches(of: /`([^`\n]+)`/).flatMap { match in
      match.1.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    return Set(quoted).union(examples.flatMap(Self.keys))
  }

  /// The JSON in its examples: of each block one value, or one per line.
  var examples: [JSON] {
    text.components(separatedBy: "```json\n").dropFirst().flatMap { rest -> [JSON] in
      let block = rest.components(separatedBy: "\n```")[0]
      if let whole = try? JSON(text: block) { return [whole] }
      return block.split(separator: "\n").compactMap { try? JSON(text: String($0)) }
    }
  }

  /// The rows of its tables whose first cell is this text.
  func rows(_ cell: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix("| \(cell) |") }
  }

  private static func keys(_ json: JSON) -> [String] {
    (json.array ?? []).flatMap(keys)
      + (json.object?.members ?? []).flatMap { [$0.key] + keys($0.value) }
  }
}
