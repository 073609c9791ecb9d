internal import APNS
internal import JSONText
internal import PlainText
internal import Reporting
internal import Settings

extension NewProject {
  /// Adds a profile to the `fanfare.json` that is there. Everything else in it stays as it is.
  ///
  /// - Throws: `Failure` if nothing was written.
  func add(
    _ name: String, _ answers: ProjectAnswers, home: String?
  ) throws(Failure) {
    let old = try readText(file, for: "configuration")
    let known = try names(in: old, home)
    if known.contains(name) { throw .profileIsThere(name, in: file) }
    let member = profiles(answers, name: name).member
    guard let new = Self.adding(member, to: old),
      (try? names(in: new, home))?.sorted() == (known + [name]).sorted()
    else { throw .profileNotAdded(to: file) }
    try attempt(try replaceFile(file, with: new, for: "configuration", mode: 0o644)) { .file($0) }
  }

  private func names(in text: [UInt8], _ home: String?) throws(Failure) -> [String] {
    try passing { () throws(BrokenRules) in
      try ProfileFile(reading: text, path: file, home: home, isOwn: false)
    }.profiles.map(\.name)
  }

  /// The text with a member behind the brace of its profiles, or of a new object of them.
  private static func adding(_ member: String, to text: [UInt8]) -> [UInt8]? {
    guard let json = try? JSONReader(.json5).read(text),
      let brace = (json["profiles"] ?? json).position.flatMap({ text.offset(of: $0) })
    else { return nil }
    let added =
      json["profiles"] == nil ? "\n  \"profiles\": {\n\(member)\n  }," : "\n\(member)"
    let rest = text[(brace + 1)...]
    let isLine = rest.first == UInt8(ascii: "\n") || rest.first == UInt8(ascii: "\r")
    return Array(text[...brace]) + Array((added + (isLine ? "" : "\n")).utf8) + Array(rest)
  }
}

extension [UInt8] {
  /// The index of the byte at a position; nil if the text ends before it.
  fileprivate func offset(of position: JSONPosition) -> Int? {
    var (line, column, last) = (1, 1, UInt8(0))
    return firstIndex { byte in
      let isHere = JSONPosition(line: line, column: column) == position && byte & 0xC0 != 0x80
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        if byte == UInt8(ascii: "\r") || last != UInt8(ascii: "\r") { line += 1 }
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      last = byte
      return isHere
    }
  }
}

extension Failure {
  fileprivate static func profileIsThere(_ name: String, in file: String) -> Failure {
    Failure(
      "\(file.printable) has a profile '\(name.printable)' already; nothing was written.",
      fix: "Give the new one another name with --profile, or edit the file.")
  }

  fileprivate static func profileNotAdded(to file: String) -> Failure {
    Failure(
      "The profile cannot be added to \(file.printable); nothing was written.",
      fix: "Add it to its 'profiles' yourself.")
  }
}
