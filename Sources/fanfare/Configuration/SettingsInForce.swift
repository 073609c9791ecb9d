internal import APNS
internal import JSONText
internal import PushCore

/// A setting that counts, and where it comes from.
struct Setting: Equatable {
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
  func rows() throws(Failure) -> [Setting] {
    let profile = try context.profile()
    let named = try context.profileInForce()
    var rows = [Setting(name: "profile", value: named?.name, origin: named?.origin)]
    rows += [try bundleID()] + (try place(profile)) + (try credentials()) + running(profile)
    rows.append(try history(profile))
    return rows + (try variables(profile))
  }

  private func bundleID() throws(Failure) -> Setting {
    let option = options.bundleID.map { DraftField(.topic, $0, from: .setting("--bundle-id")) }
    var field = option ?? scenario?.bundleID
    if field == nil { field = try context.bundleID() }
    return Setting(name: "bundleID", value: field?.value, origin: field?.origin?.text)
  }

  // MARK: Where

  private func place(_ profile: Profile?) throws(Failure) -> [Setting] {
    let named = try NamedServer(options.server, scenario, context)
    let value: String? = named.map {
      switch $0.setting {
      case .named(let environment): environment.name
      case .auto: EnvironmentSetting.autoName
      }
    }
    let port = options.server.port?.port ?? profile?.port
    return [
      Setting(name: "environment", value: value, origin: named?.origin), roots(named, profile),
      setting(
        "port", port.map { String($0) }, options.server.port == nil ? nil : "--port", profile),
      try proxy(),
    ]
  }

  private func roots(_ named: NamedServer?, _ profile: Profile?) -> Setting {
    let variable = EnvironmentVariable.roots
    let all: [(value: String?, origin: String?)] = [
      (options.server.roots, "--ca"), (named?.roots, named?.origin),
      (context.value(variable), variable.rawValue),
      (profile?.roots, profile?.origin(of: "ca").text),
    ]
    let said = all.first { $0.value != nil }
    return Setting(name: "ca", value: said?.value, origin: said?.origin)
  }

  private func proxy() throws(Failure) -> Setting {
    let choice = try ProxyChoice(options.server.proxy, context)
    return Setting(name: "proxy", value: choice.shownURL, origin: choice.namedBy)
  }

  // MARK: Who

  private func credentials() throws(Failure) -> [Setting] {
    let layer = try CredentialLayer.chosen(options.credentials, scenario, context)
    guard let layer else { return [Setting(name: "key")] }
    return layer.parts.map { part in
      Setting(name: part.name, value: shown(part.value), origin: part.origin)
    } + passwords(layer)
  }

  private func shown(_ value: CredentialPart.Value) -> String {
    switch value {
    case .text(let text): text
    case .place(.file(let path)): shownPath(path)
    case .place(.variable(let name)): shown(variable: name)
    case .place(.command): "printed by a command, which is not run here"
    }
  }

  /// The path in a variable, or that there is something in it.
  private func shown(variable name: String) -> String {
    guard let text = context.environment[name], !text.isEmpty else { return "\(name) is not set" }
    guard case .path(let path) = KeyText(text), fileExists(path) else { return "\(name) is set" }
    return shownPath(path)
  }

  /// Passwords that are said apart from what they open.
  private func passwords(_ layer: CredentialLayer) -> [Setting] {
    let (file, option, variable): (String?, String, EnvironmentVariable) =
      switch layer {
      case .key:
        (options.credentials.keyPasswordFile, "--key-password-file", .keyPassword)
      case .certificate:
        (
          options.credentials.certificatePasswordFile, "--cert-password-file",
          .certificatePassword
        )
      }
    if let file { return [Setting(name: "passwordFile", value: shownPath(file), origin: option)] }
    let isSaid = layer.parts.contains { $0.name == "passwordFile" }
    guard !isSaid, context.value(variable) != nil else { return [] }
    return [Setting(name: "password", value: "set", origin: variable.rawValue)]
  }

  // MARK: How

  private func running(_ profile: Profile?) -> [Setting] {
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

  private func history(_ profile: Profile?) throws(Failure) -> Setting {
    let variable = EnvironmentVariable.history
    let usual = context.value(variable) == nil ? nil : variable.rawValue
    return setting(
      "history", try context.historyPath(options.history),
      options.history == nil ? usual : "--history", profile)
  }

  /// - Parameter origin: the option or variable that says it; nil leaves it to the profile.
  private func setting(
    _ key: String, _ value: String?, _ origin: String?, _ profile: Profile?
  ) -> Setting {
    let isOfProfile = profile?.says(key) ?? false
    let place = isOfProfile ? profile?.origin(of: key).text : nil
    return Setting(name: key, value: value, origin: origin ?? place)
  }

  // MARK: What

  private func variables(_ profile: Profile?) throws(Failure) -> [Setting] {
    let (own, usual) = (scenario?.variables ?? [:], profile?.variables ?? [:])
    return Set(own.keys).union(usual.keys).sorted().map { name in
      let place = profile?.origin(of: "variables.\(name)").text
      let value = own[name] ?? usual[name]
      return Setting(
        name: "variables.\(name)", value: value?.encodedString(.compact),
        origin: own[name] == nil ? place : scenario?.file)
    }
  }
}
