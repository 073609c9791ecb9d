internal import CCurl
internal import CNGHTTP2
internal import COpenSSL

/// The libcurl loaded by this process, as it describes itself.
public struct CurlFacts: Sendable, Hashable {
  /// The version, for example `8.5.0`.
  public var version: String

  /// The TLS libraries it was built with, for example `OpenSSL/3.0.13`. Those in parentheses are
  /// not in use. Empty without TLS.
  public var tls: String

  /// True if it may be initialized while other threads run.
  public var isThreadSafe: Bool

  /// True if it resolves names without blocking, so that time-outs cover that too.
  public var looksUpAsynchronously: Bool

  /// Creates facts about a libcurl.
  public init(
    version: String, tls: String, isThreadSafe: Bool = true, looksUpAsynchronously: Bool = true
  ) {
    (self.version, self.tls) = (version, tls)
    self.isThreadSafe = isThreadSafe
    self.looksUpAsynchronously = looksUpAsynchronously
  }

  /// The version of the OpenSSL in use; nil if libcurl uses another TLS library or none.
  public var openSSL: String? {
    let name = "OpenSSL/"
    return tls.split(separator: " ").first { $0.hasPrefix(name) }.map {
      String($0.dropFirst(name.count))
    }
  }

  /// The libcurl in use.
  public static var loaded: CurlFacts {
    guard let info = fanfare_curl_version_info()?.pointee else {
      return CurlFacts(version: "", tls: "")
    }
    // Bits of `features`. Headers before libcurl 7.84 lack the first one.
    let (threadSafe, asynchronous) = (1 << 30, 1 << 7)
    return CurlFacts(
      version: info.version.map { String(cString: $0) } ?? "",
      tls: info.ssl_version.map { String(cString: $0) } ?? "",
      isThreadSafe: Int(info.features) & threadSafe != 0,
      looksUpAsynchronously: Int(info.features) & asynchronous != 0)
  }
}

/// The OpenSSL loaded by this process, and the one it was built with.
public struct OpenSSLFacts: Sendable, Hashable {
  /// The version in use, for example `3.0.13`.
  public var loaded: String

  /// The version of the headers this program was built with.
  public var built: String

  /// True if the random number generator is seeded.
  public var isSeeded: Bool

  /// Creates facts about an OpenSSL.
  public init(loaded: String, built: String, isSeeded: Bool = true) {
    (self.loaded, self.built, self.isSeeded) = (loaded, built, isSeeded)
  }

  /// The OpenSSL in use.
  public static var inUse: OpenSSLFacts {
    OpenSSLFacts(
      loaded: String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)),
      built: "\(OPENSSL_VERSION_MAJOR).\(OPENSSL_VERSION_MINOR).\(OPENSSL_VERSION_PATCH)",
      isSeeded: RAND_status() == 1)
  }
}

/// The nghttp2 loaded by this process, and the one it was built with.
public struct NGHTTP2Facts: Sendable, Hashable {
  /// The version in use, for example `1.59.0`.
  public var loaded: String

  /// The version of the headers this program was built with.
  public var built: String

  /// Creates facts about an nghttp2.
  public init(loaded: String, built: String) { (self.loaded, self.built) = (loaded, built) }

  /// The nghttp2 in use.
  public static var inUse: NGHTTP2Facts {
    NGHTTP2Facts(
      loaded: nghttp2_version(0).map { String(cString: $0.pointee.version_str) } ?? "",
      built: NGHTTP2_VERSION)
  }
}
