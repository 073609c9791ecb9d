internal import HTTP2
internal import Projects

/// The proxy that the command line, the environment or the profile names, as curl reads them.
struct ProxyChoice {
  private let url: String
  private let exceptions: String
  private let origin: String

  /// The option wins, with an empty text too, and then knows no exceptions. Otherwise the first
  /// variable counts that is set and not empty, and below them the profile.
  init(_ option: String?, _ context: Context) throws(Failure) {
    if let option {
      (url, exceptions, origin) = (option, "", Self.option)
      return
    }
    exceptions = context.first(of: ["no_proxy", "NO_PROXY"])?.value ?? ""
    if let (name, url) = context.first(of: Self.variables) {
      (self.url, origin) = (url, name)
    } else if let profile = try context.profile(), let url = profile.proxy {
      (self.url, origin) = (url, profile.origin(of: "proxy").text)
    } else {
      (url, origin) = ("", "")
    }
  }

  /// The URL without a login; nil when no proxy is named.
  var shownURL: String? { url.isEmpty ? nil : withoutLogin(url) }

  /// What names it; nil when nothing does.
  var namedBy: String? { origin.isEmpty ? nil : origin }

  private static let option = "--proxy"
  private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  /// What to dial a host with; nil when no proxy is named.
  ///
  /// - Throws: `Failure` when the host would be reached through a proxy whose URL cannot be read,
  ///   or when an argument holds a password.
  func setting(for host: String) throws(Failure) -> ProxySetting? {
    if url.isEmpty { return nil }
    let setting = ProxySetting(url: url, exceptions: exceptions, origin: origin)
    guard setting.applies(to: host) else { return setting }
    guard let parsed = ProxyURL(url) else {
      throw .badSetting(
        name: origin, text: withoutLogin(url),
        expected: "http://HOST:PORT, socks5h://HOST:PORT or another SOCKS proxy's URL")
    }
    if origin == Self.option, parsed.hasPassword {
      throw .passwordInArgument(option: Self.option, variable: "HTTPS_PROXY")
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
  fileprivate func first(of names: [String]) -> (name: String, value: String)? {
    for name in names {
      if let value = environment[name], !value.isEmpty { return (name, value) }
    }
    return nil
  }
}
