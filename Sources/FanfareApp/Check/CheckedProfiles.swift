internal import APNS
internal import Projects

extension Configuration {
  /// What is wrong with a file of profiles. No secret is read, and no command is run.
  func problems(of path: String) -> [Problem] {
    do throws(Failure) {
      guard let file = try read(path) else { return [] }
      let own = try ownFile.flatMap(read)
      return file.problems(beside: own)
    } catch {
      return Problem.all(of: error, in: path)
    }
  }
}

extension ProfileFile {
  /// What is wrong with what it refers to.
  fileprivate func problems(beside own: ProfileFile?) -> [Problem] {
    let all = Profiles([self] + [own].compactMap(\.self).filter { $0.path != path })
    let ofDefault = defaultName.flatMap { name in
      problem(.error, at: "default", from: name.origin) { () throws(ProfileError) in
        _ = try all.profile(name.value)
      }
    }
    return [ofDefault].compactMap(\.self) + profiles.flatMap { problems(of: $0, all) }
  }

  private func problems(of profile: Profile, _ all: Profiles) -> [Problem] {
    var owner: Profile?
    // A warning only: another profile may well be in a file on another machine.
    let problem = problem(
      .warning, at: "profiles.\(profile.name).credentials",
      from: profile.settings.credentialsProfile?.origin
    ) { () throws(ProfileError) in owner = try all.credentialsOwner(of: profile) }
    let faults = owner.flatMap { KeySettings($0.settings)?.faults } ?? []
    return [problem].compactMap(\.self) + faults.map { Problem($0, in: path) }
  }

  private func problem(
    _ severity: Severity, at place: String, from origin: Origin?,
    _ body: () throws(ProfileError) -> Void
  ) -> Problem? {
    do throws(ProfileError) {
      try body()
      return nil
    } catch {
      let (what, fix) = error.clauses([path])
      return Problem(
        severity, rule: "profile", at: .other(place), from: origin ?? .file(path), message: what,
        fix: fix, isForceable: false)
    }
  }
}
