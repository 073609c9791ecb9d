internal import APNS
internal import PlainText
package import Reporting
internal import Runs
package import Settings

/// Checks files and options without sending anything.
package struct Check {
  let files: [String]
  let options: Settings
  let context: Context

  package init(_ files: [String], _ options: Settings, _ context: Context) {
    (self.files, self.options, self.context) = (files, options, context)
  }

  /// - Throws: `Failure.usage` for conflicting options.
  package func run() throws(Failure) -> Report {
    try refuseTwoInputs()
    return try Check(files, try options.findingDevices(context), context).told()
  }

  private func told() throws(Failure) -> Report {
    try refuseSharedID()
    let checked = try checkedFiles().map { options.strict.isOn ? $0.strict : $0 }
    if checked.isEmpty { throw .nothingToCheck(in: files) }
    let report = CheckReport(checked: checked, errorsOnly: options.quiet.isOn).report
    return report.asJSON(options.json?.value)
      .followed(by: context.annotations(of: checked.flatMap(\.problems)))
  }

  /// The checked files, and profile files with problems that were not among the arguments.
  func checkedFiles() throws(Failure) -> [CheckedFile] {
    let (context, faults) = try usableProfiles()
    let checked = try Checking(options: options, context: context).check(files)
    let named = checked.compactMap(\.file)
    return checked
      + faults.filter { fault in !named.contains { areSameFile($0, fault.file ?? "") } }
  }

  /// The context to check the files with. Problems of profile files are reported, and other files
  /// are checked without them.
  ///
  /// - Throws: `Failure.profile` if the profile named by an option or variable does not exist.
  private func usableProfiles() throws(Failure) -> (Context, faults: [CheckedFile]) {
    do throws(Failure) {
      _ = try options.merged(reading: [], context)
      return (context, [])
    } catch {
      let isNamed = options.profile != nil || context.setting(.profile) != nil
      if error.cause(ProfileError.self) != nil, isNamed { throw error }
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
    try context.readInput(for: reading.map { "\($0) -" })
  }

  private func refuseSharedID() throws(Failure) {
    let sources = options.recipientSources
    if options.apnsID != nil, !sources.isEmpty, !sources.isOnePush {
      throw .severalRecipients(option: "--apns-id")
    }
  }
}

extension Failure {
  /// - Parameter folders: the arguments, which are all folders.
  fileprivate static func nothingToCheck(in folders: [String]) -> Failure {
    let place = folders.map { " in " + $0.printable }.joined(separator: " or")
    return Failure(
      folders.isEmpty ? "Nothing to check was given." : "There is nothing to check\(place).",
      fix: "Name a payload, a scenario, a list or a folder of them, or give --payload or --title.")
  }
}
