internal import CCurl

/// What is known of an open connection.
public struct TLSConnectionFacts: Sendable, Hashable {
  /// The address of the server, or of the proxy when the connection goes through one.
  public var remoteAddress: String

  /// The port there.
  public var remotePort: UInt16

  /// Whether the connection goes through a proxy.
  public var wentThroughProxy: Bool

  /// `TLSv1.2` or `TLSv1.3`.
  public var tlsVersion: String

  /// The cipher suite, for example `TLS_AES_256_GCM_SHA384`.
  public var cipher: String

  /// The verified chain: the server's certificate first, the trusted root last.
  public var chain: [PeerCertificate]

  /// Whether the server asked for a client certificate.
  public var asksForIdentity: Bool

  /// How long the look-up of the name took, in milliseconds; nil when libcurl does not tell.
  public var dnsMilliseconds: Double?

  /// How long the TCP connection took after that; nil when libcurl does not tell.
  public var tcpMilliseconds: Double?

  /// How long TLS took after that, with the proxy's tunnel; nil when libcurl does not tell.
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

/// Both count from the start; libcurl leaves 0 where it measured nothing.
private func milliseconds(from start: Int64, to end: Int64) -> Double? {
  end > 0 && end >= start ? Double(end - start) / 1000 : nil
}
