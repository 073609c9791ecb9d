internal import APNS
internal import HTTP2
internal import Projects

// The proxy that the command line, the environment or the profile names, as curl reads them.
extension Settings {
  /// What to dial a host with; nil when no proxy is named. An option knows no exceptions.
  ///
  /// - Throws: `Failure` when the host would be reached through a proxy whose URL cannot be read,
  ///   or when an argument holds a password.
  func proxySetting(for host: String, _ context: Context) throws(Failure) -> ProxySetting? {
    guard let proxy, !proxy.value.isEmpty else { return nil }
    let exceptions = proxy.origin.isOptionOrStored ? "" : context.proxyExceptions
    let (url, origin) = (proxy.value, proxy.origin.text)
    let setting = ProxySetting(url: url, exceptions: exceptions, origin: origin)
    guard setting.applies(to: host) else { return setting }
    guard let parsed = ProxyURL(url) else {
      throw .badSetting(
        name: origin, text: withoutLogin(url),
        expected: "http://HOST:PORT, socks5h://HOST:PORT or another SOCKS proxy's URL")
    }
    if proxy.origin.isOption, parsed.hasPassword {
      throw .passwordInArgument(option: origin, variable: "HTTPS_PROXY")
    }
    return setting
  }
}
