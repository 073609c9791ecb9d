internal import PlainText

/// A file's name as a word of bash or zsh that stands for it and nothing else, and that is safe to
/// print: characters that a terminal would obey become `\033`.
package func shellWord(_ path: String) -> String {
  shellQuoted(path.hasPrefix("-") ? "./" + path : path)
}

/// Any text as a word of bash or zsh that stands for it and nothing else, as safe to print.
package func shellQuoted(_ text: String) -> String {
  // Only at the start does zsh take = for more than itself.
  if !text.isEmpty, text.first != "=", text.allSatisfy(isPlain) { return text }
  if text.unicodeScalars.allSatisfy({ $0.printable == String($0) }) {
    // By scalars: a quote with an accent on it is another character.
    return "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
  return "$'" + text.unicodeScalars.map(escaped).joined() + "'"
}

private func isPlain(_ character: Character) -> Bool {
  character.isASCII && (character.isLetter || character.isNumber)
    || "_./-+:@%,=".contains(character)
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
  if scalar.printable == String(scalar) { return String(scalar) }
  // Three octal digits end by themselves; hexadecimal ones would take in what follows.
  return String(scalar).utf8.map { byte in
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }.joined()
}
