// Writes files as string literals into a Swift file: `embed OUTPUT FOLDER…`. A build of the package
// runs it; see Plugins/EmbedFiles.
import Foundation

/// The files in a table of README.md, with the text of the third column; the first two are the file
/// and its push type.
func rows(_ readMe: String) -> [(name: String, summary: String)] {
  readMe.split(separator: "\n").compactMap { line in
    let cells = line.components(separatedBy: " | ")
    guard cells.count > 3, cells[0].hasPrefix("| ["), let end = cells[0].firstIndex(of: "]")
    else { return nil }
    let name = cells[0].dropFirst(3).prefix(upTo: end)
    return (String(name), cells[2].replacing("`", with: "'"))
  }
}

/// The files of a folder in the order of its README.md; without one, all of them by name.
func files(_ folder: URL) throws -> [(name: String, summary: String)] {
  if let readMe = try? String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8) {
    return rows(readMe)
  }
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  return names.filter { !$0.hasPrefix(".") }.map { ($0, "") }
}

/// A constant with the files of a folder; its name is that of the folder in lower case.
func constant(_ folder: URL) throws -> String {
  let elements = try files(folder).map { name, summary in
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    // A debug description is a literal.
    return "    (\([name, summary, text].map(\.debugDescription).joined(separator: ", "))),\n"
  }
  let name = folder.lastPathComponent.lowercased()
  return "  static let \(name): [File] = [\n\(elements.joined())  ]\n"
}

let paths = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
let constants = try paths.dropFirst().map(constant)
let type = "  typealias File = (name: String, summary: String, text: String)\n"
try "enum Embedded {\n\(type)\(constants.joined())}\n"
  .write(to: paths[0], atomically: true, encoding: .utf8)
