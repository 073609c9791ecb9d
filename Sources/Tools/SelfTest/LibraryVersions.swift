internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import PlainText
internal import Reporting

/// The version of the loaded library, and of the headers that fanfare was built with.
struct LibraryVersions {
  let name: String
  let loaded: String
  let built: String

  init(_ name: String, _ versions: (loaded: String, built: String)) {
    (self.name, loaded, built) = (name, versions.loaded.printable, versions.built.printable)
  }

  var evidence: JSON { ["loaded": .text(loaded), "built": .text(built)] }

  var good: StepOutcome { .ok("\(name) \(loaded), built with \(built).", evidence) }

  /// Broken if the loaded library may lack functions: minor versions add them, major ones drop
  /// some.
  var outcome: StepOutcome {
    let (numbers, needed) = (Self.numbers(loaded), Self.numbers(built).prefix(2))
    if numbers.first == needed.first, !numbers.lexicographicallyPrecedes(needed) { return good }
    return .broken(
      "This fanfare was built with \(name) \(built), but \(loaded) is loaded.",
      fix: "Build fanfare again on this machine, or install the package that was made for it.",
      evidence)
  }

  func isOlder(than numbers: Int...) -> Bool {
    Self.numbers(loaded).lexicographicallyPrecedes(numbers)
  }

  /// The numbers of a version: separated by dots, perhaps with letters at the end.
  private static func numbers(_ version: String) -> [Int] {
    version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
  }
}

extension StepOutcome {
  /// - Parameter curl: the libcurl that shares TLS contexts with this program.
  static func openSSL(_ versions: (loaded: String, built: String), _ curl: CurlFacts) -> StepOutcome
  {
    let openSSL = LibraryVersions("OpenSSL", versions)
    if openSSL.isOlder(than: 3) {
      return .broken(
        "OpenSSL \(openSSL.loaded) is too old.", fix: "Install OpenSSL 3.0 or later.",
        openSSL.evidence)
    }
    guard openSSL.outcome.verdict == .ok, let other = curl.openSSL, other != versions.loaded else {
      return openSSL.outcome
    }
    return .broken(
      "libcurl uses OpenSSL \(other.printable), fanfare OpenSSL \(openSSL.loaded): there are two in "
        + "one process.",
      fix: "Build fanfare with the OpenSSL that libcurl was built with.", openSSL.evidence)
  }

  static func sqlite(_ versions: (loaded: String, built: String), isThreadSafe: Bool) -> StepOutcome
  {
    let sqlite = LibraryVersions("SQLite", versions)
    // The first version with STRICT tables.
    if sqlite.isOlder(than: 3, 37) {
      return .broken(
        "SQLite \(sqlite.loaded) is too old for the history, which needs 3.37.",
        fix: "Install SQLite 3.37 or later. Until then, send with --no-history.", sqlite.evidence)
    }
    if isThreadSafe { return sqlite.good }
    return .broken(
      "This SQLite was built for a single thread.",
      fix: "Install one built with SQLITE_THREADSAFE=1 or 2.", sqlite.evidence)
  }
}

extension CurlFacts {
  var outcome: StepOutcome {
    let evidence: JSON = [
      "version": .text(version), "tls": .text(tls),
      "asynchronousDNS": .flag(looksUpAsynchronously),
    ]
    let named = "libcurl \(version.printable)"
    guard openSSL != nil else {
      let library = tls.isEmpty ? "has no TLS" : "uses \(tls.printable), not OpenSSL"
      return .broken("\(named) \(library).", fix: Self.fix, evidence)
    }
    if looksUpAsynchronously { return .ok("\(named) with \(tls.printable).", evidence) }
    let text = StepText(
      "\(named) looks names up without a time-out.",
      fix: "Install a libcurl with asynchronous DNS: --timeout does not end a look-up.", evidence)
    return StepOutcome(verdict: .warning, text: text)
  }

  private static var fix: String {
    #if os(macOS)
    "Run 'brew install curl' and 'Scripts/install-dependencies', and build again: the libcurl of "
      + "macOS has another TLS library."
    #else
    "Install the OpenSSL build of libcurl (on Debian and Ubuntu libcurl4), and build again."
    #endif
  }
}
