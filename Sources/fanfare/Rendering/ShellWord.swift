internal import PlainText

/// A file's name as a word of bash or zsh that stands for it and nothing else, and that is safe to
/// print: characters that a terminal would obey become `\033`.
func shellWord(_ path: String) -> String {
  let path = path.hasPrefix("-") ? "./" + path : path
  if !path.isEmpty, path.utf8.allSatisfy(isPlain) { return path }
  if path.unicodeScalars.allSatisfy({ $0.printable == String($0) }) {
    return "'"
      + path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
  return "$'" + path.unicodeScalars.map(escaped).joined() + "'"
}

private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "_./-+:@%,".utf8.contains(byte)
  }
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
