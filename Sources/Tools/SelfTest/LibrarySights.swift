internal import HTTP2
internal import JSONText
internal import PlainText
internal import Reporting
internal import SQLHistory

// What is to be said of the libraries in use.

/// A version as libraries write it: numbers with dots between them, then perhaps letters.
struct LibraryVersion: Comparable {
  private let numbers: [Int]

  init(_ text: String) {
    numbers = text.split(separator: ".").prefix(3).map { Int($0.prefix { $0.isNumber }) ?? 0 }
  }

  var major: Int { numbers.first ?? 0 }

  /// Whether it lacks functions that the other has: those come with a new second number.
  func isOlderSeries(than other: LibraryVersion) -> Bool {
    numbers.prefix(2).lexicographicallyPrecedes(other.numbers.prefix(2))
  }

  static func < (one: LibraryVersion, other: LibraryVersion) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}

private func versions(_ loaded: String, _ built: String) -> JSON {
  ["loaded": .text(loaded), "built": .text(built)]
}

private func builtWith(_ name: String, _ built: String, _ loaded: String) -> String {
  "This fanfare was built with \(name) \(built.printable), but \(loaded.printable) is loaded."
}

private let rebuild =
  "Build fanfare again on this machine, or install the package that was made for it."

extension CurlFacts {
  var sight: PlatformSight {
    let evidence: JSON = [
      "version": .text(version), "tls": .text(tls), "threadSafe": .flag(isThreadSafe),
      "asynchronousDNS": .flag(looksUpAsynchronously),
    ]
    let named = "libcurl \(version.printable)"
    guard openSSL != nil else {
      let library = tls.isEmpty ? "has no TLS" : "uses \(tls.printable), not OpenSSL"
      return .broken("\(named) \(library).", fix: Self.fix, evidence)
    }
    if !looksUpAsynchronously {
      return .warning(
        "\(named) looks names up without a time-out.",
        fix: "Install a libcurl with asynchronous DNS: --timeout does not end a look-up.", evidence)
    }
    return .ok("\(named) with \(tls.printable).", evidence)
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

extension OpenSSLFacts {
  /// - Parameter curl: the libcurl that shares its TLS contexts with this program.
  func sight(_ curl: CurlFacts) -> PlatformSight {
    let (version, header) = (LibraryVersion(loaded), LibraryVersion(built))
    if version.major < 3 {
      return .broken(
        "OpenSSL \(loaded.printable) is too old.", fix: "Install OpenSSL 3.0 or later.", evidence)
    }
    if version.major != header.major || version.isOlderSeries(than: header) {
      return .broken(builtWith("OpenSSL", built, loaded), fix: rebuild, evidence)
    }
    if let other = curl.openSSL, LibraryVersion(other) != version {
      return .broken(
        "libcurl uses OpenSSL \(other.printable), fanfare OpenSSL \(loaded.printable): there are two "
          + "in one process.",
        fix: "Build fanfare with the OpenSSL that libcurl was built with.", evidence)
    }
    return .ok("OpenSSL \(loaded.printable), built with \(built.printable).", evidence)
  }

  private var evidence: JSON { versions(loaded, built) }
}

extension NGHTTP2Facts {
  var sight: PlatformSight {
    if LibraryVersion(loaded).isOlderSeries(than: LibraryVersion(built)) {
      return .broken(builtWith("nghttp2", built, loaded), fix: rebuild, versions(loaded, built))
    }
    return .ok(
      "nghttp2 \(loaded.printable), built with \(built.printable).", versions(loaded, built))
  }
}

extension SQLiteFacts {
  /// The first version with STRICT tables.
  private static let oldest = "3.37.0"

  var sight: PlatformSight {
    if LibraryVersion(loaded) < LibraryVersion(Self.oldest) {
      return .broken(
        "SQLite \(loaded.printable) is too old for the history, which needs 3.37.",
        fix: "Install SQLite 3.37 or later. Until then, send with --no-history.", evidence)
    }
    if !isThreadSafe {
      return .broken(
        "This SQLite was built for a single thread.",
        fix: "Install one built with SQLITE_THREADSAFE=1 or 2.", evidence)
    }
    return .ok("SQLite \(loaded.printable), built with \(built.printable).", evidence)
  }

  private var evidence: JSON { versions(loaded, built) }
}

/// The authorities that the system trusts.
struct RootFacts {
  var count: Int
  var bundle: String
  var directory: String

  /// Those of this machine.
  static var ofSystem: RootFacts {
    let places = SystemRoots.places
    return RootFacts(
      count: SystemRoots.count, bundle: places.bundle, directory: places.directory)
  }

  var sight: PlatformSight {
    let evidence: JSON = [
      "count": .number(count), "bundle": .text(bundle), "directory": .text(directory),
    ]
    if count == 0 {
      return .warning(
        "No certificate authority in \(directory.printable) or \(bundle.printable).",
        fix:
          "Install the package ca-certificates, or name a bundle with --ca or SSL_CERT_FILE: APNs "
          + "cannot be verified without one.", evidence)
    }
    return .ok("Certificate authorities of the system: \(grouped(count)).", evidence)
  }
}
