internal import CCurl
internal import CNGHTTP2
internal import COpenSSL

/// The libcurl that this process has loaded, as it describes itself.
public struct CurlFacts: Sendable, Hashable {
  /// Its version, for example `8.5.0`.
  public var version: String
  /// The TLS libraries it was built with, for example `OpenSSL/3.0.13`. Those in parentheses are not
  /// in use. Empty without TLS.
  public var tls: String
  /// True if it looks up names without blocking, so that time-outs apply to look-ups too.
  public var looksUpAsynchronously: Bool

  /// Facts of any libcurl.
  public init(version: String, tls: String, looksUpAsynchronously: Bool = true) {
    (self.version, self.tls) = (version, tls)
    self.looksUpAsynchronously = looksUpAsynchronously
  }

  /// The version of the OpenSSL that it uses; nil when it uses another TLS library, or none.
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
    return CurlFacts(
      version: info.version.map { String(cString: $0) } ?? "",
      tls: info.ssl_version.map { String(cString: $0) } ?? "",
      looksUpAsynchronously: info.features & CURL_VERSION_ASYNCHDNS != 0)
  }
}

/// The versions of the libraries in use, and those of the headers that this program was built with;
/// for example `3.0.13`.
public enum LibraryFacts {
  /// Those of OpenSSL.
  public static var openSSL: (loaded: String, built: String) {
    (
      String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)),
      "\(OPENSSL_VERSION_MAJOR).\(OPENSSL_VERSION_MINOR).\(OPENSSL_VERSION_PATCH)"
    )
  }

  /// Those of nghttp2.
  public static var nghttp2: (loaded: String, built: String) {
    (nghttp2_version(0).map { String(cString: $0.pointee.version_str) } ?? "", NGHTTP2_VERSION)
  }
}
