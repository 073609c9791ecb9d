import Foundation
import Testing

/// A Dockerfile, read: its stages with their instructions.
struct Dockerfile {
  /// A word and what follows it, continued lines joined.
  struct Instruction {
    let name: String
    let text: String

    var words: [String] { text.split(separator: " ").map(String.init) }

    /// What `apt-get install` is told to install.
    var packages: [String] {
      text.components(separatedBy: "&&").map { $0.split(separator: " ") }
        .filter { $0.starts(with: ["apt-get", "install"]) }
        .flatMap { $0.dropFirst(2).filter { !$0.hasPrefix("-") }.map(String.init) }
    }
  }

  /// From one FROM to the next.
  struct Stage {
    let instructions: [Instruction]

    /// The image it begins with.
    var image: String { instructions[0].words[0] }
    /// The name behind AS; nil when it has none.
    var name: String? {
      let words = instructions[0].words
      return words.count == 3 && words[1] == "AS" ? words[2] : nil
    }
    var packages: [String] { instructions.flatMap(\.packages) }

    func all(_ name: String) -> [Instruction] { instructions.filter { $0.name == name } }
  }

  let stages: [Stage]

  init(_ text: String) throws {
    let lines = text.split(separator: "\n").filter {
      !$0.drop { $0 == " " }.hasPrefix("#")
    }
    let joined = lines.joined(separator: "\n").replacing("\\\n", with: " ")
    let instructions = joined.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return Instruction(
        name: String(parts[0]), text: parts.count > 1 ? String(parts[1]) : "")
    }
    let starts = instructions.indices.filter { instructions[$0].name == "FROM" }
    try #require(!starts.isEmpty)
    let ends = starts.dropFirst() + [instructions.count]
    stages = zip(starts, ends).map { Stage(instructions: Array(instructions[$0..<$1])) }
  }
}
