internal import APNS
internal import Opening
internal import PlainText
internal import PushModel
package import Reporting
package import Settings

/// Checks files and options, and sends nothing.
package struct Check {
  let files: [String]
  let options: Settings
  let context: Context

  package init(_ files: [String], _ options: Settings, _ context: Context) {
    (self.files, self.options, self.context) = (files, options, context)
  }

  /// - Throws: `Failure.usage` for options that exclude each other.
  package func run() throws(Failure) -> ExitCode {
    try refuseTwoInputs()
    return try Check(files, try options.findingDevices(context), context).told()
  }

  private func told() throws(Failure) -> ExitCode {
    try refuseSharedID()
    let checked = try checkedFiles().map { options.strict.isOn ? $0.strict : $0 }
    if checked.isEmpty { throw .nothingToCheck(in: files) }
    let report = CheckReport(checked: checked, errorsOnly: options.quiet.isOn).report
    let code = context.tell(report, asJSON: options.json.isOn)
    context.annotate(checked.flatMap(\.problems))
    return code
  }

  /// What was checked, and profile files with problems that were not among the arguments.
  func checkedFiles() throws(Failure) -> [CheckedFile] {
    let (context, faults) = try usableProfiles()
    let checked = try Checking(options: options, context: context).check(files)
    let named = checked.compactMap(\.file)
    return checked
      + faults.filter { fault in !named.contains { areSameFile($0, fault.file ?? "") } }
  }

  /// What to check the files with. Problems of profile files are reported, and the other files are
  /// checked without them.
  ///
  /// - Throws: `Failure.profile` when the profile that an option or variable names is not there.
  private func usableProfiles() throws(Failure) -> (Context, faults: [CheckedFile]) {
    do throws(Failure) {
      _ = try options.merged(reading: [], context)
      return (context, [])
    } catch {
      let isNamed = options.profile != nil || context.setting(.profile) != nil
      if error.cause is ProfileError, isNamed { throw error }
      var other = context
      other.configuration = context.configuration.disregarded
      let path = context.configuration.paths.first ?? Configuration.name
      let faults = Dictionary(grouping: Problem.all(of: error, in: path)) { $0.file ?? "" }
      return (
        other,
        faults.map { CheckedFile(file: $0.key, kind: .configuration, problems: $0.value) }
      )
    }
  }

  private func refuseTwoInputs() throws(Failure) {
    let reading = files.filter { $0 == "-" }.map { _ in "FILE" } + options.readingStandardInput
    if reading.count > 1 { throw .conflict("\(reading[0]) -", "\(reading[1]) -") }
  }

  private func refuseSharedID() throws(Failure) {
    let sources = options.recipientSources
    if options.apnsID != nil, !sources.isEmpty, !sources.isOnePush {
      throw .severalRecipients(option: "--apns-id")
    }
  }
}

extension Failure {
  /// - Parameter folders: the arguments; all of them are folders.
  fileprivate static func nothingToCheck(in folders: [String]) -> Failure {
    let place = folders.map { " in " + $0.printable }.joined(separator: " or")
    return Failure(
      folders.isEmpty ? "Nothing to check was given." : "There is nothing to check\(place).",
      fix: "Name a payload, a scenario, a list or a folder of them, or give --payload or --title.")
  }
}

extension Configuration {
  /// What is wrong with a file of profiles. No secret is read, and no command is run.
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
  /// What is wrong with what it refers to, as far as that was read.
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

  /// A warning only: a device may well be in a file on another machine.
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

  /// A password in a database's URL above all: the file may be in git.
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
    // A value that is not a path may be the key itself.
    if hasFault(at: "profiles.\(profile.name).credentials") { return [] }
    do throws(ProfileError) {
      let key = try all.credentialsOwner(of: profile).flatMap { KeySettings($0.settings) }
      return (key?.faults ?? []).map { Problem($0, in: path) }
    } catch {
      // A warning only: another profile may well be in a file on another machine.
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
