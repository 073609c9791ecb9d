internal import CCurl

/// Facts about an open connection.
public struct TLSConnectionFacts: Sendable, Hashable {
  /// The address of the server, or of the proxy if there is one.
  public var remoteAddress: String

  /// The port at that address.
  public var remotePort: UInt16

  /// True if the connection goes through a proxy.
  public var wentThroughProxy: Bool

  /// The TLS version: `TLSv1.2` or `TLSv1.3`.
  public var tlsVersion: String

  /// The cipher suite, for example `TLS_AES_256_GCM_SHA384`.
  public var cipher: String

  /// The verified chain: the server's certificate first, the trusted root last.
  public var chain: [PeerCertificate]

  /// True if the server requested a client certificate.
  public var asksForIdentity: Bool

  /// The duration of the DNS lookup, in milliseconds; nil if libcurl does not report it.
  public var dnsMilliseconds: Double?

  /// The duration of the TCP connect after DNS, in milliseconds; nil if libcurl does not report it.
  public var tcpMilliseconds: Double?

  /// The duration of TLS and the proxy's tunnel after that, in milliseconds; nil if not reported.
  public var tlsMilliseconds: Double?
}

extension TLSConnectionFacts {
  init(_ curl: borrowing CurlHandle, wentThroughProxy: Bool) {
    let handshake = curl.tls.handshake
    let dns = curl.microseconds(CURLINFO_NAMELOOKUP_TIME_T)
    let tcp = curl.microseconds(CURLINFO_CONNECT_TIME_T)
    let whole = curl.microseconds(CURLINFO_APPCONNECT_TIME_T)
    self.init(
      remoteAddress: curl.text(CURLINFO_PRIMARY_IP) ?? "",
      remotePort: UInt16(clamping: curl.number(CURLINFO_PRIMARY_PORT)),
      wentThroughProxy: wentThroughProxy, tlsVersion: handshake.version, cipher: handshake.cipher,
      chain: handshake.chain?.parsed ?? [], asksForIdentity: handshake.asksForIdentity,
      dnsMilliseconds: milliseconds(from: 0, to: dns),
      tcpMilliseconds: milliseconds(from: dns, to: tcp),
      tlsMilliseconds: milliseconds(from: tcp, to: whole))
  }
}

/// Converts two times since the start to a duration; libcurl leaves 0 where it measured nothing.
private func milliseconds(from start: Int64, to end: Int64) -> Double? {
  end > 0 && end >= start ? Double(end - start) / 1000 : nil
}
