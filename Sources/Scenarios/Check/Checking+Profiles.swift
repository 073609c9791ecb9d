internal import APNS
internal import PushModel
internal import Reporting
internal import Runs
internal import SQLHistory
internal import Settings

// Profile files.
extension Configuration {
  /// The problems of a profile file. No secret is read, and no command is run.
  func problems(of path: String) -> [Problem] {
    do throws(Failure) {
      guard let file = try readInPart(path) else { return [] }
      let own = try [deviceFile, ownFile].compactMap(\.self).map(readInPart).compactMap(\.self)
      return file.faults + file.problems(beside: own)
    } catch {
      return Problem.all(of: error, in: path)
    }
  }
}

extension ProfileFile {
  /// The problems of its references, as far as their files were read.
  fileprivate func problems(beside own: [ProfileFile]) -> [Problem] {
    let all = Profiles([self] + own.filter { $0.path != path })
    var problems: [Problem] = []
    if let name = defaultName, faults.isEmpty || !profiles.isEmpty {
      do throws(ProfileError) { _ = try all.profile(name.value) } catch {
        problems.append(problem(.error, error, at: "default", from: name.origin))
      }
    }
    return problems + profiles.flatMap { self.problems(of: $0, all) }
      + profiles.compactMap(historyProblem)
      + (hasFault(at: "devices") ? [] : groupProblems(beside: own))
  }

  private func hasFault(at place: String) -> Bool {
    faults.contains { $0.place.description.hasPrefix(place) }
  }

  /// Only a warning: the device may be in a file on another machine.
  private func groupProblems(beside own: [ProfileFile]) -> [Problem] {
    let all = Devices(own.filter { $0.path != path } + [self])
    return devices.compactMap { entry in
      do throws(DeviceError) {
        _ = try all.devices(entry.name)
        return nil
      } catch {
        let (what, fix) = error.clauses
        return Problem(
          .warning, rule: "device", at: .other("devices.\(entry.name)"), from: entry.origin,
          message: what, fix: fix, isForceable: false)
      }
    }
  }

  /// Most importantly, a password in a database URL: the file may be in git.
  private func historyProblem(of profile: Profile) -> Problem? {
    guard let history = profile.settings.history,
      let fault = HistoryLocation(history.value).fault
    else { return nil }
    let failure = Failure.badHistory(fault, from: "This")
    return Problem(
      .error, rule: "history", at: .other("profiles.\(profile.name).history"),
      from: history.origin, message: failure.sentence, fix: failure.fix, isForceable: false)
  }

  private func problems(of profile: Profile, _ all: Profiles) -> [Problem] {
    // A value that is not a path could be the key itself.
    if hasFault(at: "profiles.\(profile.name).credentials") { return [] }
    do throws(ProfileError) {
      let key = try all.credentialsOwner(of: profile).flatMap { KeySettings($0.settings) }
      return (key?.faults ?? []).map { Problem($0, in: path) }
    } catch {
      // Only a warning: the profile may be in a file on another machine.
      return [
        problem(
          .warning, error, at: "profiles.\(profile.name).credentials",
          from: profile.settings.credentialsProfile?.origin)
      ]
    }
  }

  private func problem(
    _ severity: Severity, _ error: ProfileError, at place: String, from origin: Origin?
  ) -> Problem {
    let (what, fix) = error.clauses([path])
    return Problem(
      severity, rule: "profile", at: .other(place), from: origin ?? .file(path), message: what,
      fix: fix, isForceable: false)
  }
}
