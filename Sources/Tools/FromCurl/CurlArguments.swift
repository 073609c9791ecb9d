internal import APNS
internal import JSONText
internal import Reporting
internal import Settings

/// What a command line of curl says, as far as it is about a push.
struct CurlArguments {
  private(set) var urls: [String] = []
  private(set) var headers: [DraftField] = []
  /// The body; nil for none.
  private(set) var body: String?
  /// The paths of the client certificate and its key.
  private(set) var credentialFiles: [String] = []
  /// The options that are not taken over. Their values may be secret, and are not kept.
  private(set) var leftOut: [String] = []

  /// - Parameter words: what follows `curl`.
  /// - Throws: `Failure` when a file with the body cannot be read.
  init(_ words: ArraySlice<String>) throws(Failure) {
    var rest = words
    while let word = rest.popFirst() {
      if word.hasPrefix("--"), word.count > 2 {
        try takeLong(word.dropFirst(2), &rest)
      } else if word.hasPrefix("-"), word.count > 1, word != "--" {
        try takeShort(word.dropFirst(), &rest)
      } else if word != "--" {
        urls.append(word)
      }
    }
  }

  private mutating func takeLong(
    _ word: Substring, _ rest: inout ArraySlice<String>
  ) throws(Failure) {
    let name = word.prefix { $0 != "=" }
    guard Self.withValue.contains(String(name)) else { return try take(String(name), nil) }
    let isJoined = name.endIndex < word.endIndex
    try take(String(name), isJoined ? String(word[name.endIndex...].dropFirst()) : rest.popFirst())
  }

  /// Letters without a value may be joined, and a value may follow the last.
  private mutating func takeShort(
    _ letters: Substring, _ rest: inout ArraySlice<String>
  ) throws(Failure) {
    var letters = letters
    while let letter = letters.popFirst() {
      let name = Self.letters[letter] ?? "-\(letter)"
      if Self.withValue.contains(name) {
        return try take(name, letters.isEmpty ? rest.popFirst() : String(letters))
      }
      try take(name, nil)
    }
  }

  private mutating func take(_ name: String, _ value: String?) throws(Failure) {
    switch (name, value) {
    case ("url", let url?): urls.append(url)
    case ("header", let header?): takeHeader(header)
    case ("data-raw", let text?): add(text)
    case ("data", let text?), ("data-ascii", let text?), ("data-binary", let text?),
      ("json", let text?):
      add(text.hasPrefix("@") ? try contents(of: String(text.dropFirst())) : text)
    case ("cert", let path?), ("key", let path?):
      // A password may follow a colon.
      let path = path.prefix { $0 != ":" }
      credentialFiles.append("--\(name == "cert" ? "cert" : "cert-key") \(path)")
    case ("request", let method?) where method.uppercased() == "POST": break
    case _ where Self.withoutEffect.contains(name): break
    default: leftOut.append(name.hasPrefix("-") ? name : "--\(name)")
    }
  }

  /// `NAME: VALUE`; what only takes away a header of curl's has no value.
  private mutating func takeHeader(_ text: String) {
    guard let end = text.firstIndex(where: { $0 == ":" || $0 == ";" }) else {
      leftOut.append("--header")
      return
    }
    let value = text[text.index(after: end)...].drop { $0 == " " }
    if !value.isEmpty { headers.append(DraftField(String(text[..<end]), String(value))) }
  }

  private mutating func add(_ text: String) { body = body.map { "\($0)&\(text)" } ?? text }

  private func contents(of path: String) throws(Failure) -> String {
    if path == "-" { throw .bodyOfStandardInput }
    return String(decoding: try readText(path, for: "payload"), as: UTF8.self)
  }
}

// The options of curl (its manual page).
extension CurlArguments {
  /// Those that say how curl talks and what it prints, which fanfare does in its own way.
  private static let withoutEffect: Set<String> = [
    "verbose", "include", "silent", "show-error", "fail", "fail-with-body", "location",
    "compressed", "globoff", "no-buffer", "progress-bar", "no-progress-meter", "http2",
    "http2-prior-knowledge", "tlsv1", "tlsv1.2", "tlsv1.3", "cert-type", "key-type", "write-out",
    "output", "user-agent",
  ]

  private static let withValue: Set<String> = [
    "url", "header", "data", "data-raw", "data-ascii", "data-binary", "data-urlencode", "json",
    "cert", "cert-type", "key", "key-type", "pass", "request", "user", "user-agent", "output",
    "max-time", "connect-timeout", "proxy", "proxy-user", "noproxy", "cacert", "capath", "resolve",
    "connect-to", "retry", "retry-delay", "retry-max-time", "write-out", "dump-header", "cookie",
    "cookie-jar", "referer", "form", "form-string", "upload-file", "config", "range", "interface",
    "ciphers", "tls13-ciphers", "tls-max", "trace", "trace-ascii", "stderr", "limit-rate",
    "max-redirs", "oauth2-bearer", "unix-socket", "keepalive-time", "speed-limit", "speed-time",
    "time-cond", "continue-at", "max-filesize", "pinnedpubkey", "socks5", "socks5-hostname",
    "dns-servers", "engine", "happy-eyeballs-timeout-ms", "netrc-file", "request-target",
    "expect100-timeout", "curves", "local-port",
  ]

  private static let letters: [Character: String] = [
    "v": "verbose", "i": "include", "s": "silent", "S": "show-error", "f": "fail",
    "L": "location", "g": "globoff", "N": "no-buffer", "#": "progress-bar", "k": "insecure",
    "H": "header", "d": "data", "E": "cert", "X": "request", "u": "user", "A": "user-agent",
    "o": "output", "O": "remote-name", "m": "max-time", "x": "proxy", "U": "proxy-user",
    "w": "write-out", "D": "dump-header", "b": "cookie", "c": "cookie-jar", "e": "referer",
    "F": "form", "T": "upload-file", "K": "config", "r": "range", "y": "speed-time",
    "Y": "speed-limit", "z": "time-cond", "C": "continue-at", "G": "get", "I": "head",
  ]
}

extension Failure {
  fileprivate static var bodyOfStandardInput: Failure {
    Failure(
      "The command reads its body from standard input.",
      fix: "Put the payload into the command, or name its file: --data @payload.json.")
  }
}
