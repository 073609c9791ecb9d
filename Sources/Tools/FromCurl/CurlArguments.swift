internal import APNS
internal import JSONText
internal import Reporting
internal import Settings

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
