internal import APNS
internal import Credentials
internal import Projects

// Profiles.
extension Context {
  /// The name of the profile that counts: the one given, else the variable's, else the `default` of a
  /// file; nil when there is none.
  func profileInForce(_ named: Setting<String>?) throws(Failure) -> Setting<String>? {
    let variable = EnvironmentVariable.profile
    if configuration.isDisregarded { return nil }
    if let named { return named }
    if let name = value(variable) { return Setting(name, .setting(variable.rawValue)) }
    guard let file = try configuration.profiles().usual, let name = file.usual else { return nil }
    return Setting(name, file.usualOrigin)
  }

  /// Asks the profiles.
  ///
  /// - Parameter origin: what names the one that is asked for.
  func asking<Answer>(
    from origin: Origin, _ question: (Profiles) throws(ProfileError) -> Answer
  ) throws(Failure) -> Answer {
    let profiles = try configuration.profiles()
    do throws(ProfileError) {
      return try question(profiles)
    } catch {
      throw .profile(error, origin: origin.text, files: profiles.files.map(\.path))
    }
  }
}

// Folders.
extension Context {
  /// Where the history is unless somebody says otherwise (XDG Base Directory Specification); nil where
  /// there is no home.
  var usualHistory: String? {
    (folder("XDG_STATE_HOME", "/fanfare") ?? folder("HOME", "/.local/state/fanfare"))
      .map { $0 + "/history.sqlite" }
  }

  /// Where provider tokens are shared with other commands (XDG Base Directory Specification, which
  /// wants relative paths ignored); nil when there is no such place.
  var tokenCache: ProviderTokenCache? {
    (folder("XDG_CACHE_HOME", "/fanfare") ?? folder("HOME", "/.cache/fanfare"))
      .map { ProviderTokenCache(folder: $0) }
  }

  /// Where temporary files go.
  var temporaryFolder: String {
    environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// A folder that a variable names. Relative paths are ignored, as the specification wants.
  private func folder(_ variable: String, _ rest: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 + rest : nil }
  }
}

// Proxies, as curl reads them.
extension Context {
  /// The first of curl's variables that is set and not empty.
  var proxyVariable: Setting<String>? {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return first(of: names).map { Setting($0.value, .setting($0.name)) }
  }

  /// The hosts that are reached directly, when the proxy is not an option's.
  var proxyExceptions: String { first(of: ["no_proxy", "NO_PROXY"])?.value ?? "" }

  private func first(of names: [String]) -> (name: String, value: String)? {
    for name in names {
      if let value = environment[name], !value.isEmpty { return (name, value) }
    }
    return nil
  }
}

/// A URL without the user name and password that somebody may have put into it.
func withoutLogin(_ url: String) -> String {
  guard let at = url.lastIndex(of: "@") else { return url }
  return "…" + url[at...]
}
