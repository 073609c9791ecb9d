internal import APNS
internal import HTTP2

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

/// A URL without the user name and password that somebody may have put into it.
func withoutLogin(_ url: String) -> String {
  guard let at = url.lastIndex(of: "@") else { return url }
  return "…" + url[at...]
}

extension Context {
  /// The first of curl's variables that is set and not empty.
  var proxyVariable: Setting<String>? {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return first(of: names).map { Setting($0.value, .setting($0.name)) }
  }

  /// The hosts that are reached directly, when the proxy is not an option's.
  fileprivate var proxyExceptions: String { first(of: ["no_proxy", "NO_PROXY"])?.value ?? "" }

  private func first(of names: [String]) -> (name: String, value: String)? {
    for name in names {
      if let value = environment[name], !value.isEmpty { return (name, value) }
    }
    return nil
  }
}
