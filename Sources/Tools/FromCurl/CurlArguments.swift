internal import APNS
internal import JSONText
internal import Reporting

/// The arguments of curl that matter for a push.
struct CurlArguments {
  private(set) var urls: [String] = []
  private(set) var headers: [DraftField] = []
  /// The body; nil for none.
  private(set) var body: String?
  /// The paths of the client certificate and its key.
  private(set) var credentialFiles: [String] = []
  /// The options that are not converted. Their values may be secret, and are not kept.
  private(set) var leftOut: [String] = []

  /// - Parameter words: the words after `curl`.
  /// - Throws: `Failure` if the body's file cannot be read.
  init(_ words: ArraySlice<String>) throws(Failure) {
    var rest = words
    while let word = rest.popFirst() {
      if word.hasPrefix("--") {
        let name = String(word.dropFirst(2))
        try take(name, Self.valued.contains(name) ? rest.popFirst() : nil)
      } else if word.hasPrefix("-") {
        // As in `-sXPOST`: flags, then a letter with a value, which may follow directly.
        let letters = word.dropFirst().drop { Self.flags.contains($0) }
        guard let letter = letters.first else { continue }
        let value = letters.count > 1 ? String(letters.dropFirst()) : nil
        let name = Self.letters[letter]
        try take(name ?? "-\(letter)", value ?? (name == nil ? nil : rest.popFirst()))
      } else {
        urls.append(word)
      }
    }
  }

  private mutating func take(_ name: String, _ value: String?) throws(Failure) {
    switch (name, value) {
    case ("url", let url?): urls.append(url)
    case ("header", let header?): takeHeader(header)
    case ("data-raw", let text?): add(text)
    case ("data", let text?), ("data-binary", let text?), ("json", let text?):
      add(text.hasPrefix("@") ? try contents(of: String(text.dropFirst())) : text)
    case ("cert", let path?), ("key", let path?):
      // A password may follow a colon.
      let path = path.prefix { $0 != ":" }
      credentialFiles.append("--\(name == "cert" ? "cert" : "cert-key") \(path)")
    case ("request", "POST"?), ("", _): break
    case _ where Self.withoutEffect.contains(name): break
    default: leftOut.append(name.hasPrefix("-") ? name : "--\(name.prefix { $0 != "=" })")
    }
  }

  /// `NAME: VALUE`. Without a value, it only removes one of curl's own headers.
  private mutating func takeHeader(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return leftOut.append("--header") }
    let value = parts[1].drop { $0 == " " }
    if !value.isEmpty { headers.append(DraftField(String(parts[0]), String(value))) }
  }

  private mutating func add(_ text: String) { body = body.map { "\($0)&\(text)" } ?? text }

  private func contents(of path: String) throws(Failure) -> String {
    if path == "-" {
      throw Failure(
        "The command reads its body from standard input.",
        fix: "Put the payload into the command, or name its file: --data @payload.json.")
    }
    return String(decoding: try readText(path, for: "payload"), as: UTF8.self)
  }

  // The options of curl (its manual page). The value of any other is not a push's URL.
  private static let valued: Set<String> = [
    "url", "header", "data", "data-raw", "data-binary", "json", "cert", "key", "request",
  ]
  private static let letters: [Character: String] = [
    "H": "header", "d": "data", "E": "cert", "X": "request",
  ]
  private static let flags: Set<Character> = ["v", "i", "s", "S", "f", "L", "g", "N", "#", "k"]
  private static let withoutEffect: Set<String> = [
    "verbose", "include", "silent", "show-error", "fail", "fail-with-body", "location", "globoff",
    "compressed", "http2", "http2-prior-knowledge", "tlsv1.2", "tlsv1.3", "cert-type", "key-type",
  ]
}

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
