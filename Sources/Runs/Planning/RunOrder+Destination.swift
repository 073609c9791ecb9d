internal import APNS
internal import HTTP2
package import JSONText
package import Reporting
package import Settings

// Where an order goes: known before its message, which a certificate may complete.
extension RunOrder {
  /// The destination of the run.
  ///
  /// - Throws: `Failure` when it cannot be used, or an input file would be overwritten.
  package func destination(_ context: Context) throws(Failure) -> Destination {
    try refuseMissing()
    let destination = try Destination(
      settings, to: recipients.sources, of: scenario.map { ($0.scenario.file, $0.reads) },
      as: credentials, context)
    let read = filesRead(destination.credentials, context)
    if settings.history?.origin.isOption ?? false {
      var used = FilesInUse(read)
      for path in settings.historyFiles { try used.claim("--history", path) }
    }
    try KeyLog.refuse(among: settings.claimResults(beside: read), settings, context)
    return destination
  }

  /// The files that the run reads or was made of, without the history.
  package func filesRead(_ credentials: NamedCredentials, _ context: Context) -> [String] {
    let settings = settings.filesRead(context) + credentials.settings.filesRead(context)
    let scenario = scenario?.scenario
    let read = (scenario?.filesRead ?? []) + [scenario?.script].compactMap(\.self)
    let lists = recipients.sources + recipients.suppression.sources
    return settings + read + lists.compactMap(\.path) + earlierLists
      + context.configuration.allPaths
  }

  /// Refuses an order that lacks several things. A single one is refused where it is needed.
  private func refuseMissing() throws(Failure) {
    guard case .draft(let assembly) = content else { return }
    let hasContent = assembly.hasPayload || settings.namePayload || settings.makePayload
    let missing: [Failure?] = [
      settings.environment == nil ? .noEnvironment : nil,
      hasContent ? nil : .nothingToSend,
      settings.mayNameApp ? nil : .noApp,
      recipients.sources.isEmpty && !recipients.mayBeEmpty ? .noRecipients : nil,
      settings.needCredentials ? .noKey : nil,
    ]
    let failures = missing.compactMap(\.self)
    if failures.count > 1 { throw .several(failures) }
  }
}

extension Settings {
  /// Claims the files of results.
  ///
  /// - Parameter files: the files that the command reads, besides the history.
  /// - Throws: `Failure.overwrites` if one of them is among these.
  func claimResults(
    beside files: @autoclosure @escaping () -> [String]
  ) throws(Failure) -> FilesInUse {
    var used = FilesInUse(files() + historyFiles)
    try used.claim("--results", results?.value)
    try used.claim("--dead-tokens", deadTokens?.value)
    return used
  }

  /// Refuses unknown fields and conflicting outputs before anything is sent.
  ///
  /// - Parameters:
  ///   - fields: the fields in a line of the command's `--json`.
  ///   - isOfStep: true for pushes of scenarios.
  package func refuseUnknownFields(
    _ fields: @autoclosure () -> [JSONShape.Key], isOfStep: Bool = false, _ context: Context
  ) throws(Failure) {
    let other =
      plan.isOn
      ? Outputs.plan : dryRun.isOn ? Outputs.dryRun : enqueue.isOn ? Outputs.enqueuing : nil
    try json?.value.refuseUnknown(
      among: other ?? fields() + Outputs.result, other == nil ? listed : [])
    guard try lineTemplate(isOfStep: isOfStep, context) != nil else { return }
    if let dry = dryRun ?? curl { throw .conflict("--template", dry.origin.text) }
    if results?.value == "-" { throw .conflict("--template", "--results -") }
  }
}

extension Settings {
  /// A certificate names the app, unless the settings do.
  fileprivate var mayNameApp: Bool {
    bundleID != nil || self[.topic] != nil || certificate != nil || credentialsProfile != nil
  }

  fileprivate var needCredentials: Bool {
    !nameCredentials && !dryRun.isOn && !enqueue.isOn && !(environment?.value.isEmulator ?? false)
  }
}

extension Failure {
  fileprivate static var noApp: Failure { Failure("No app given.", fix: "Give --bundle-id ID.") }
}
