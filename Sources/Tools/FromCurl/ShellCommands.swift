internal import Reporting

/// The commands in a text of a shell, as words. Nothing is run and no variable of the environment is
/// read: those that the text itself sets are filled in, others stay as `${NAME}`.
struct ShellCommands {
  /// The words of each command.
  private(set) var all: [[String]] = []
  private var variables: [String: String] = [:]
  private var words: [String] = []
  /// The word that is being read; nil between words.
  private var word: String?
  private var rest: ArraySlice<Unicode.Scalar>

  /// - Throws: `Failure` when a quote does not end.
  init(_ text: String) throws(Failure) {
    // By scalars: a quote with an accent on it is another character, and so is CR LF.
    rest = text.unicodeScalars.filter { $0 != "\r" }[...]
    while let scalar = rest.popFirst() { try take(scalar) }
    endCommand()
  }

  private mutating func take(_ scalar: Unicode.Scalar) throws(Failure) {
    switch scalar {
    case "\\":
      if let next = rest.popFirst(), next != "\n" { append(String(next)) }
    case "'": append(try text(upTo: "'"))
    case "\"": try takeQuoted()
    case "$": try takeDollar(isQuoted: false)
    case "#" where word == nil: rest = rest.drop { $0 != "\n" }
    case " ", "\t": endWord()
    case "\n", ";", "&", "|", "<", ">": endCommand()
    default: append(String(scalar))
    }
  }

  /// The rest of a text in double quotes.
  private mutating func takeQuoted() throws(Failure) {
    append("")
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return
      case "\\":
        guard let next = rest.popFirst() else { throw .openQuote }
        if next != "\n" { append("\"\\$`".unicodeScalars.contains(next) ? "" : "\\") }
        if next != "\n" { append(String(next)) }
      case "$": try takeDollar(isQuoted: true)
      default: append(String(scalar))
      }
    }
    throw .openQuote
  }

  /// What follows a dollar sign: a variable, a command in parentheses, a text with escapes.
  private mutating func takeDollar(isQuoted: Bool) throws(Failure) {
    switch rest.first {
    case "{":
      rest.removeFirst()
      appendVariable(try text(upTo: "}"))
    case "(":
      append("$" + (try text(upTo: ")")) + ")")
    case "'" where !isQuoted:
      rest.removeFirst()
      try takeEscapes()
    case let first? where first == "_" || first.properties.isAlphabetic:
      let name = rest.prefix {
        $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.isDigit)
      }
      rest.removeFirst(name.count)
      appendVariable(String(String.UnicodeScalarView(name)))
    default: append("$")
    }
  }

  private mutating func appendVariable(_ name: String) {
    append(variables[name] ?? "${\(name)}")
  }

  /// The rest of `$'…'`.
  private mutating func takeEscapes() throws(Failure) {
    var bytes: [UInt8] = []
    while let scalar = rest.popFirst() {
      if scalar == "'" { return append(String(decoding: bytes, as: UTF8.self)) }
      if scalar == "\\" {
        bytes += try escaped()
      } else {
        bytes += Array(String(scalar).utf8)
      }
    }
    throw .openQuote
  }

  private mutating func escaped() throws(Failure) -> [UInt8] {
    guard let scalar = rest.popFirst() else { throw .openQuote }
    switch scalar {
    case "n": return [0x0A]
    case "t": return [0x09]
    case "r": return [0x0D]
    case "x": return [UInt8(truncatingIfNeeded: number(radix: 16, digits: 2))]
    case "u", "U":
      let code = number(radix: 16, digits: scalar == "u" ? 4 : 8)
      return Array(String(Unicode.Scalar(UInt32(code)) ?? "\u{FFFD}").utf8)
    case "0"..."7":
      rest = ArraySlice([scalar] + rest)
      return [UInt8(truncatingIfNeeded: number(radix: 8, digits: 3))]
    default: return Array(String(scalar).utf8)
    }
  }

  private mutating func number(radix: Int, digits: Int) -> Int {
    let text = rest.prefix(digits).prefix { Int(String($0), radix: radix) != nil }
    rest.removeFirst(text.count)
    return Int(String(String.UnicodeScalarView(text)), radix: radix) ?? 0
  }

  /// What comes before a scalar, which is passed over.
  private mutating func text(upTo end: Unicode.Scalar) throws(Failure) -> String {
    guard let index = rest.firstIndex(of: end) else { throw .openQuote }
    defer { rest = rest[(index + 1)...] }
    return String(String.UnicodeScalarView(rest[..<index]))
  }

  // MARK: Ends

  private mutating func append(_ text: String) { word = (word ?? "") + text }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }

  private mutating func endCommand() {
    endWord()
    let settings = words.first == "export" ? words[1...] : words[...]
    if settings.allSatisfy({ Self.setting($0) != nil }) {
      for case let (name, value)? in settings.map(Self.setting) { variables[name] = value }
    } else {
      all.append(words)
    }
    words = []
  }

  /// `NAME=VALUE`
  private static func setting(_ word: String) -> (name: String, value: String)? {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex,
      word[..<equals].allSatisfy({ $0 == "_" || $0.isLetter || $0.isNumber })
    else { return nil }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { "0"..."9" ~= self }
}

extension Failure {
  fileprivate static var openQuote: Failure {
    Failure("The command ends within a quote or brace.", fix: "Copy all of it.")
  }
}
