internal import APNS
internal import JSONText
internal import Projects

/// A setting that counts, and where it comes from.
struct ShownSetting: Equatable {
  let name: String
  /// What is shown of it; nil when nobody says it.
  var value: String?
  /// The option, variable or place in a file that says it; nil for what is built in.
  var origin: String?
}

/// All settings that count, told by what the commands that use them ask. No secret is read.
struct SettingsInForce {
  let options: ConfigShow
  let scenario: Scenario?
  let context: Context

  /// The files that were looked at, and whether they are there.
  var files: [(path: String, isThere: Bool)] {
    context.configuration.paths.map { ($0, fileExists($0)) }
  }

  /// The settings, in the order in which they are shown.
  func rows() throws(Failure) -> [ShownSetting] {
    let profile = try context.profile()
    let named = try context.profileInForce()
    var rows = [ShownSetting(name: "profile", value: named?.name, origin: named?.origin)]
    rows += [try bundleID()] + (try place(profile)) + (try credentials()) + running(profile)
    rows.append(try history(profile))
    return rows + flags + (try variables(profile))
  }

  private func bundleID() throws(Failure) -> ShownSetting {
    let option = options.bundleID.map { DraftField(.topic, $0, from: .setting("--bundle-id")) }
    var field = option ?? scenario?.bundleID
    if field == nil { field = try context.bundleID() }
    return ShownSetting(name: "bundleID", value: field?.value, origin: field?.origin?.text)
  }

  // MARK: Where

  private func place(_ profile: Profile?) throws(Failure) -> [ShownSetting] {
    let named = try NamedServer(options.server, scenario, context)
    let value: String? = named.map {
      switch $0.setting {
      case .named(let environment): environment.name
      case .auto: EnvironmentSetting.autoName
      }
    }
    let port = options.server.port?.port ?? profile?.port
    return [
      ShownSetting(name: "environment", value: value, origin: named?.origin), roots(named, profile),
      setting(
        "port", port.map { String($0) }, options.server.port == nil ? nil : "--port", profile),
      try proxy(),
    ]
  }

  private func roots(_ named: NamedServer?, _ profile: Profile?) -> ShownSetting {
    let variable = EnvironmentVariable.roots
    let all: [(value: String?, origin: String?)] = [
      (options.server.roots, "--ca"), (named?.roots, named?.origin),
      (context.value(variable), variable.rawValue),
      (profile?.roots, profile?.origin(of: "ca").text),
    ]
    let said = all.first { $0.value != nil }
    return ShownSetting(name: "ca", value: said?.value, origin: said?.origin)
  }

  private func proxy() throws(Failure) -> ShownSetting {
    let choice = try ProxyChoice(options.server.proxy, context)
    return ShownSetting(name: "proxy", value: choice.shownURL, origin: choice.namedBy)
  }

  // MARK: How

  private func running(_ profile: Profile?) -> [ShownSetting] {
    let said = options.running
    var running = said
    if let profile { running.fill(from: profile) }
    let (isTimeout, isRetries) = (!said.timeout.isPreset, !said.retries.isPreset)
    let connections = running.connections?.argumentText
    let (rate, timeout) = (running.rate?.argumentText, running.timeout.argumentText)
    let (retries, delay) = (running.retries.argumentText, running.retryDelay.argumentText)
    return [
      setting("connections", connections, said.connections == nil ? nil : "--connections", profile),
      setting("rate", rate, said.rate == nil ? nil : "--rate", profile),
      setting("timeout", timeout, isTimeout ? "--timeout" : nil, profile),
      setting("retries", retries, isRetries ? "--retries" : nil, profile),
      setting("retryDelay", delay, said.retryDelay.isPreset ? nil : "--retry-delay", profile),
    ]
  }

  private func history(_ profile: Profile?) throws(Failure) -> ShownSetting {
    let variable = EnvironmentVariable.history
    let usual = context.value(variable) == nil ? nil : variable.rawValue
    return setting(
      "history", try context.historyPath(options.history),
      options.history == nil ? usual : "--history", profile)
  }

  /// - Parameter origin: the option or variable that says it; nil leaves it to the profile.
  private func setting(
    _ key: String, _ value: String?, _ origin: String?, _ profile: Profile?
  ) -> ShownSetting {
    let isOfProfile = profile?.says(key) ?? false
    let place = isOfProfile ? profile?.origin(of: key).text : nil
    return ShownSetting(name: key, value: value, origin: origin ?? place)
  }

  /// What only an option can say.
  private var flags: [ShownSetting] {
    let cache = ShownSetting(name: "tokenCache", value: "off", origin: "--no-token-cache")
    let keys = ShownSetting(name: "tlsKeyLog", value: "on", origin: "--tls-key-log")
    return (options.credentials.tokenCache ? [] : [cache])
      + (options.server.tlsKeyLog ? [keys] : [])
  }

  // MARK: What

  private func variables(_ profile: Profile?) throws(Failure) -> [ShownSetting] {
    let (own, usual) = (scenario?.variables ?? [:], profile?.variables ?? [:])
    return Set(own.keys).union(usual.keys).sorted().map { name in
      let place = profile?.origin(of: "variables.\(name)").text
      let value = own[name] ?? usual[name]
      return ShownSetting(
        name: "variables.\(name)", value: value?.encodedString(.compact),
        origin: own[name] == nil ? place : scenario?.file)
    }
  }
}
