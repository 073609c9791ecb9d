internal import PlainText

/// A file name quoted for bash or zsh, and safe to print: control characters become `\033` and the
/// like.
package func shellWord(_ path: String) -> String {
  shellQuoted(path.hasPrefix("-") ? "./" + path : path)
}

/// Any text quoted for bash or zsh, and equally safe to print.
package func shellQuoted(_ text: String) -> String {
  // zsh expands = only at the start of a word.
  if !text.isEmpty, text.first != "=", text.allSatisfy(isPlain) { return text }
  if text.unicodeScalars.allSatisfy({ $0.printable == String($0) }) {
    // By scalars, because a quote with a combining accent is another character.
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
  // Octal escapes end after three digits; hexadecimal ones would swallow what follows.
  return String(scalar).utf8.map { byte in
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }.joined()
}
