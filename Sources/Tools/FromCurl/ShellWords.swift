internal import JSONText
internal import Reporting

/// The commands in shell text, split into words. Variables that the text sets, as Apple's samples
/// do, are filled in; others stay as `${NAME}`, and `$(…)` stays as it is: nothing is run.
struct ShellWords {
  private(set) var commands: [[String]] = []
  private var variables: [String: String] = [:]
  private var words: [String] = []
  /// The word being read; nil between words.
  private var word: String?
  /// The scanner is inside double quotes.
  private var isQuoted = false
  private var rest: Substring.UnicodeScalarView

  /// - Throws: `Failure` if a quote is not closed, or an escape is not valid text.
  init(_ text: String) throws(Failure) {
    // By scalars: a quote with an accent would be a different `Character`, as is CR LF.
    rest = Substring(text.replacing("\r\n", with: "\n")).unicodeScalars
    while let scalar = rest.popFirst() { try take(scalar) }
    if isQuoted { throw .openQuote }
    endCommand()
  }

  private mutating func take(_ scalar: Unicode.Scalar) throws(Failure) {
    switch scalar {
    case "\"":
      isQuoted.toggle()
      append("")
    case "\\": takeBackslash()
    case "$": try takeDollar()
    case _ where isQuoted: append(String(scalar))
    case "'": append(try text(upTo: "'"))
    case "#" where word == nil: rest = rest.drop { $0 != "\n" }
    case " ", "\t": endWord()
    case "\n", ";", "&", "|", "<", ">": endCommand()
    default: append(String(scalar))
    }
  }

  /// Reads the character after a backslash; at the end of a line, the command continues.
  private mutating func takeBackslash() {
    guard let next = rest.popFirst(), next != "\n" else { return }
    let isText = isQuoted && !"\"\\$`".unicodeScalars.contains(next)
    append(isText ? "\\\(next)" : String(next))
  }

  /// Reads what follows a dollar sign: `NAME`, `{NAME}`, `(COMMAND)` or `'TEXT'`.
  private mutating func takeDollar() throws(Failure) {
    switch rest.first {
    case "(": append("$\(try text(upTo: ")")))")
    case "'" where !isQuoted: try takeEscaped()
    case "{": appendVariable(String(try text(upTo: "}").dropFirst()))
    default:
      let name = String(rest.prefix { $0 == "_" || $0.properties.isAlphabetic || "0"..."9" ~= $0 })
      rest.removeFirst(name.unicodeScalars.count)
      appendVariable(name)
    }
  }

  private mutating func appendVariable(_ name: String) {
    append(name.isEmpty ? "$" : variables[name] ?? "${\(name)}")
  }

  /// Reads the rest of `$'…'`, which has JSON5's escapes.
  private mutating func takeEscaped() throws(Failure) {
    var literal = String(rest.removeFirst())
    while rest.first != "'" {
      let scalar = try next()
      literal += String(scalar)
      if scalar == "\\" { literal += String(try next()) }
    }
    literal += String(try next())
    guard let text = try? JSONReader(.json5).read(literal).string else { throw .unknownEscape }
    append(text)
  }

  private mutating func next() throws(Failure) -> Unicode.Scalar {
    guard let scalar = rest.popFirst() else { throw .openQuote }
    return scalar
  }

  /// The text up to a scalar, which is skipped.
  private mutating func text(upTo end: Unicode.Scalar) throws(Failure) -> String {
    guard let index = rest.firstIndex(of: end) else { throw .openQuote }
    defer { rest = rest[index...].dropFirst() }
    return String(rest[..<index])
  }

  private mutating func append(_ text: String) { word = (word ?? "") + text }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }

  private mutating func endCommand() {
    endWord()
    let settings = (words.first == "export" ? words.dropFirst() : words[...]).map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }
    if settings.allSatisfy({ $0.count == 2 }) {
      for setting in settings { variables[setting[0]] = setting[1] }
    } else {
      commands.append(words)
    }
    words = []
  }
}

extension Failure {
  fileprivate static var openQuote: Failure {
    Failure("The command ends within a quote or brace.", fix: "Copy all of it.")
  }

  fileprivate static var unknownEscape: Failure {
    Failure(
      "A text in $'…' has an escape that is not read, or a line break.",
      fix: "Put the text itself into the command.")
  }
}
