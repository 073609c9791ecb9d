internal import CCurl
internal import COpenSSL
internal import POSIX

/// Opens connections. libcurl handles DNS, happy eyeballs, proxies, the CA store and TLS.
///
/// libcurl's own HTTP/2 is not used: it hides GOAWAY's reason and resends requests on its own.
public enum Dialer {
  /// Opens a TLS connection to an HTTP/2 server. Blocks until it is open or has failed.
  ///
  /// The server's certificate is always verified. `SIGPIPE` is blocked on this thread, because a
  /// peer may close the connection during a write.
  ///
  /// - Parameters:
  ///   - target: the server and the options.
  ///   - identity: the credentials for a server that requests a client certificate; nil for none.
  /// - Throws: `DialError`, which names the layer that failed.
  public static func dial(
    _ target: DialTarget, identity: ClientIdentity? = nil
  ) throws(DialError) -> TLSConnection {
    BrokenPipe.block()
    guard prepared else {
      throw DialError(layer: .library, detail: libraryVersion, target: target)
    }
    let tls = ClientTLS(
      additionalRoots: target.additionalRoots, identity: identity,
      allowsKeyLog: target.allowsKeyLog)
    guard let curl = CurlHandle(tls: tls) else {
      throw DialError(layer: .library, detail: "out of memory", target: target)
    }
    try configure(curl, for: target)
    let code = curl_easy_perform(curl.pointer)
    guard code == CURLE_OK else { throw failure(code, curl, target) }
    try checkNames(tls.handshake, target)
    let chosen = tls.handshake.chosenProtocol
    guard chosen == "h2" else {
      throw DialError(layer: .alpn(chosen: chosen), detail: "", target: target)
    }
    return TLSConnection(curl: curl, wentThroughProxy: target.proxyInUse != nil)
  }

  /// Refuses a certificate with a common name alone, of which libcurl takes that for the host's
  /// name, though no authority checks it any more (RFC 9525 section 2).
  private static func checkNames(
    _ handshake: Handshake, _ target: DialTarget
  ) throws(DialError) {
    guard let leaf = handshake.chain?[0], fanfare_x509_names_hosts(leaf) == 0 else { return }
    throw DialError(
      layer: .certificate(.wrongName), detail: "the certificate has no subject alternative name",
      target: target, presented: PeerCertificate(leaf))
  }

  /// The version line of the libcurl in use, for example `libcurl/7.88.1 OpenSSL/3.0.19`.
  public static var libraryVersion: String { String(cString: curl_version()) }

  /// True if libcurl is initialized and provides OpenSSL contexts.
  private static let prepared: Bool = {
    curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK && CurlFacts.loaded.openSSL != nil
  }()

  private static func configure(
    _ curl: borrowing CurlHandle, for target: DialTarget
  ) throws(DialError) {
    let host = target.host.contains(":") ? "[\(target.host)]" : target.host
    curl.set(CURLOPT_URL, "https://\(host):\(target.port)/")
    curl.set(CURLOPT_CONNECT_ONLY, 1)
    curl.set(CURLOPT_NOSIGNAL, 1)
    // libcurl takes 0 for five minutes.
    curl.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, target.timeoutMilliseconds))
    curl.set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
    curl.set(CURLOPT_IPRESOLVE, target.addressFamily.libcurlChoice)
    fanfare_curl_leave_slow_lookups(curl.pointer)
    fanfare_curl_close_on_exec(curl.pointer)
    try configureProxy(curl, for: target)
    configureTLS(curl)
  }

  /// Sets every proxy option, because libcurl reads the environment for those left unset.
  private static func configureProxy(
    _ curl: borrowing CurlHandle, for target: DialTarget
  ) throws(DialError) {
    let url = target.proxyInUse?.url ?? ""
    if !url.isEmpty, ProxyURL(url) == nil {
      throw DialError(layer: .proxy(.url), detail: "", target: target)
    }
    curl.set(CURLOPT_PROXY, url)
    curl.set(CURLOPT_NOPROXY, "")
  }

  private static func configureTLS(_ curl: borrowing CurlHandle) {
    curl.set(CURLOPT_SSL_VERIFYPEER, 1)
    curl.set(CURLOPT_SSL_VERIFYHOST, 2)
    curl.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    curl.set(CURLOPT_SSL_ENABLE_ALPN, 0)
    // ClientTLS loads the roots, lazily where the system supports it.
    curl.set(CURLOPT_CAINFO, nil)
    curl.set(CURLOPT_CAPATH, nil)
    curl.set(CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(curl.tls).toOpaque())
    _ = fanfare_curl_set_ssl_context_callback(curl.pointer) { _, context, owner in
      guard let context, let owner else { return CURLE_ABORTED_BY_CALLBACK }
      let tls = Unmanaged<ClientTLS>.fromOpaque(owner).takeUnretainedValue()
      return tls.prepare(OpaquePointer(context)) ? CURLE_OK : CURLE_SSL_CACERT_BADFILE
    }
  }

  private static func failure(
    _ code: CURLcode, _ curl: borrowing CurlHandle, _ target: DialTarget
  ) -> DialError {
    let detail = curl.message.isEmpty ? String(cString: curl_easy_strerror(code)) : curl.message
    let layer = DialError.Layer(
      code: code, tls: curl.tls, proxyFault: target.proxyInUse.map { curl.fault(of: $0, code) },
      detail: detail)
    let error = DialError(
      layer: layer, detail: curl.tls.identityFault ?? withoutLogin(detail), target: target)
    return error.with(curl.tls.handshake)
  }

  /// Removes credentials: libcurl's message quotes an invalid proxy URL, password included.
  private static func withoutLogin(_ detail: String) -> String {
    guard let at = detail.lastIndex(of: "@") else { return detail }
    let quote = detail.firstIndex(of: "'").map { detail.index(after: $0) }
    let start = detail.firstRange(of: "://")?.upperBound ?? quote ?? detail.startIndex
    return start < at ? detail[..<start] + "…" + detail[at...] : detail
  }
}

extension DialError {
  /// The same error with the server's certificate if that is at fault.
  fileprivate func with(_ handshake: Handshake) -> DialError {
    guard case .certificate = layer, let leaf = handshake.chain?[0] else { return self }
    var error = self
    error.presented = PeerCertificate(leaf)
    return error
  }
}

extension AddressFamily? {
  fileprivate var libcurlChoice: Int {
    switch self {
    case .v4: Int(CURL_IPRESOLVE_V4)
    case .v6: Int(CURL_IPRESOLVE_V6)
    case nil: Int(CURL_IPRESOLVE_WHATEVER)
    }
  }
}

/// The unique owner of a libcurl easy handle, and of the object its OpenSSL callbacks use.
struct CurlHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  let tls: ClientTLS
  private let errorText: UnsafeMutablePointer<CChar>

  /// Creates a handle; nil if libcurl is out of memory.
  init?(tls: ClientTLS) {
    guard let pointer = curl_easy_init() else { return nil }
    self.tls = tls
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    set(CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorText.deallocate()
  }

  /// libcurl's message about its last failure; empty if there is none.
  var message: String { String(cString: errorText) }

  func set(_ option: CURLoption, _ value: Int) {
    _ = fanfare_curl_set_long(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: String) {
    _ = fanfare_curl_set_string(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    _ = fanfare_curl_set_pointer(pointer, option, value)
  }

  var socket: Int32 {
    var value: curl_socket_t = -1
    _ = fanfare_curl_get_socket(pointer, &value)
    return value
  }

  /// A number reported by libcurl; 0 if unknown.
  func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = fanfare_curl_get_long(pointer, info, &value)
    return value
  }

  /// The fault of a proxy, provided that it is the proxy's.
  fileprivate func fault(of proxy: ProxySetting, _ code: CURLcode) -> DialError.ProxyFault {
    let status = number(CURLINFO_HTTP_CONNECTCODE)
    let hasLogin = ProxyURL(proxy.url)?.hasLogin ?? false
    let login: DialError.ProxyFault = hasLogin ? .loginRefused : .loginMissing
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY: return .dns
    case CURLE_PROXY: return isLoginRefused ? login : .refused
    case CURLE_COULDNT_CONNECT where status == 0: return .unreachable
    default: break
    }
    if status != 407 { return .refused }
    let offered = number(CURLINFO_PROXYAUTH_AVAIL)
    let schemes = Self.schemes.filter { offered & $0.bit != 0 }.map(\.name)
    return schemes.isEmpty || schemes.contains("Basic") ? login : .loginScheme(schemes)
  }

  /// A SOCKS proxy wanted another login (RFC 1928 section 3, RFC 1929).
  private var isLoginRefused: Bool {
    let error = UInt32(truncatingIfNeeded: number(CURLINFO_PROXY_ERROR))
    return error == CURLPX_USER_REJECTED.rawValue || error == CURLPX_NO_AUTH.rawValue
  }

  // The macros of curl.h, which Swift does not see.
  private static let schemes = [
    (1, "Basic"), (2, "Digest"), (4, "Negotiate"), (8, "NTLM"), (64, "Bearer"),
  ].map { (bit: $0.0, name: $0.1) }

  /// A string reported by libcurl; nil if unknown.
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard fanfare_curl_get_string(pointer, info, &value) == CURLE_OK else { return nil }
    return value.map { String(cString: $0) }
  }
}
