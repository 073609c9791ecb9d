internal import APNS
internal import Projects

/// The profiles that `check` uses. Problems of profile files are reported, and the other files are
/// checked without them.
struct CheckedConfiguration {
  /// What the other files are checked with.
  let context: Context
  private var faults: [CheckedFile] = []

  /// - Throws: `Failure.profile` when the profile that an option or variable names is not there.
  init(_ options: Settings, _ context: Context) throws(Failure) {
    do throws(Failure) {
      _ = try options.merged(reading: [], context)
      self.context = context
    } catch {
      let isNamed = options.profile != nil || context.value(.profile) != nil
      if error.cause is ProfileError, isNamed { throw error }
      var other = context
      other.configuration = context.configuration.disregarded
      self.context = other
      faults = Self.faults(error, context)
    }
  }

  /// What was checked, and profile files with problems that were not among the arguments.
  func faults(beside checked: [CheckedFile]) -> [CheckedFile] {
    let named = checked.compactMap(\.file)
    return checked
      + faults.filter { fault in
        !named.contains { areSameFile($0, fault.file ?? "") }
      }
  }

  private static func faults(_ failure: Failure, _ context: Context) -> [CheckedFile] {
    let paths = context.configuration.paths
    let problems = Problem.all(of: failure, in: paths.first ?? Configuration.name)
    return Dictionary(grouping: problems) { $0.file ?? "" }.map { file, problems in
      CheckedFile(file: file, kind: .configuration, problems: problems)
    }
  }
}

extension CheckedFile {
  /// A file of profiles. No secret is read, and no command is run.
  static func configuration(_ path: String, _ context: Context) -> CheckedFile {
    var checked = CheckedFile(file: path, kind: .configuration)
    let configuration = context.configuration
    do throws(Failure) {
      guard let file = try configuration.read(path, isOwn: configuration.isOwn(path)) else {
        return checked
      }
      let own = try configuration.ownFile.flatMap { (path) throws(Failure) in
        try configuration.read(path, isOwn: true)
      }
      checked.problems = file.problems(beside: own)
    } catch {
      checked.problems = Problem.all(of: error, in: path)
    }
    return checked
  }
}

extension ProfileFile {
  /// What is wrong with what it refers to.
  fileprivate func problems(beside own: ProfileFile?) -> [Problem] {
    let all = Profiles([self] + [own].compactMap(\.self).filter { $0.path != path })
    return problemsOfUsual(all) + profiles.flatMap { problems(of: $0, all) }
  }

  private func problemsOfUsual(_ all: Profiles) -> [Problem] {
    guard let usual else { return [] }
    return problems(.error, at: "default", from: usualOrigin) { () throws(ProfileError) in
      _ = try all.profile(usual)
    }
  }

  /// Another profile may well be in a file that is on another machine.
  private func problems(of profile: Profile, _ all: Profiles) -> [Problem] {
    var settings = Settings()
    let place = "profiles.\(profile.name).credentials"
    let problems = problems(
      .warning, at: place, from: profile.origin(of: "credentials.profile")
    ) { () throws(ProfileError) in
      let found = try all.credentials(of: profile)
      if let found { settings.take(found.setting, of: found.profile) }
    }
    return problems + (KeySettings(settings)?.faults ?? []).map { Problem($0, in: path) }
  }

  private func problems(
    _ severity: Severity, at place: String, from origin: Origin,
    _ body: () throws(ProfileError) -> Void
  ) -> [Problem] {
    do throws(ProfileError) {
      try body()
      return []
    } catch {
      let (what, fix) = error.clauses([path])
      return [
        Problem(
          severity, rule: "profile", at: .other(place), from: origin, message: what, fix: fix,
          isForceable: false)
      ]
    }
  }
}
