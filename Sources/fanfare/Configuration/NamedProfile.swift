internal import APNS
internal import CommandLineKit
internal import JSONText
internal import Projects

/// The name of a profile, and what says it.
struct NamedProfile: Equatable {
  let name: String
  /// The option, scenario, variable or place in a file that names it.
  let origin: String

  /// `--profile NAME`
  static func option<Root>(_ place: CommandLineKit.Place<Root, String?>) -> Parameter<Root> {
    .option(
      "profile", place, value: "NAME",
      help: "The profile of fanfare.json that fills what nobody says.",
      environment: EnvironmentVariable.profile.rawValue)
  }
}

// The lowest layer: what holds where neither an option, a scenario nor a variable says it.
extension Context {
  /// The same, with the profile that an option or else a scenario names, if one of them does.
  func naming(_ option: String?, _ scenario: Scenario? = nil) -> Context {
    var context = self
    if let option {
      context.namedProfile = NamedProfile(name: option, origin: "--profile")
    } else if let scenario, let name = scenario.profile {
      context.namedProfile = NamedProfile(name: name, origin: scenario.file)
    }
    return context
  }

  /// The profile that counts; nil when there is none.
  ///
  /// - Throws: `Failure` when the one that is named is not there, or a file cannot be used.
  func profile() throws(Failure) -> Profile? {
    guard let named = try profileInForce() else { return nil }
    return try asking(from: named.origin) { (profiles) throws(ProfileError) in
      try profiles.profile(named.name)
    }
  }

  /// The profile that counts, and who says so: an option, a scenario, the variable, or a file's
  /// `default`.
  func profileInForce() throws(Failure) -> NamedProfile? {
    let variable = EnvironmentVariable.profile
    if configuration.isDisregarded { return nil }
    if let namedProfile { return namedProfile }
    if let name = value(variable) { return NamedProfile(name: name, origin: variable.rawValue) }
    guard let file = try configuration.profiles().usual, let name = file.usual else { return nil }
    return NamedProfile(name: name, origin: file.usualOrigin.text)
  }

  /// Whether an option, a scenario or the variable names one.
  var namesProfile: Bool { namedProfile != nil || value(.profile) != nil }

  /// Asks the profiles.
  ///
  /// - Parameter origin: what names the one that is asked for.
  func asking<Answer>(
    from origin: String, _ question: (Profiles) throws(ProfileError) -> Answer
  ) throws(Failure) -> Answer {
    let profiles = try configuration.profiles()
    do throws(ProfileError) {
      return try question(profiles)
    } catch {
      throw .profile(error, origin: origin, files: profiles.files.map(\.path))
    }
  }

  /// The app, where neither option nor scenario names it: the variable's, else the profile's.
  func bundleID() throws(Failure) -> DraftField? {
    let variable = EnvironmentVariable.bundleID
    if let text = value(variable) {
      return DraftField(.topic, text, from: .setting(variable.rawValue))
    }
    guard let profile = try profile(), let bundleID = profile.bundleID else { return nil }
    return DraftField(.topic, bundleID.text, from: profile.origin(of: "bundleID"))
  }
}

extension SendingOptions {
  /// These options for a scenario, or for none: the profile that counts is known to the context, and
  /// stands in for limits that no option says.
  func settled(
    for scenario: Scenario?, _ context: Context
  ) throws(Failure) -> (SendingOptions, Context) {
    let context = context.naming(server.profile, scenario)
    var options = self
    if let profile = try context.profile() { options.running.fill(from: profile) }
    return (options, context)
  }
}

extension Origin {
  /// `fanfare.json:3:5`, or the option or variable.
  var text: String {
    guard let file else { return setting ?? "" }
    let numbers = [position?.line, position?.column].compactMap { $0.map { ":\($0)" } }
    return file + numbers.joined()
  }
}
