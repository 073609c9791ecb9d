package import APNS
internal import Credentials
internal import HTTP2
package import JSONText
internal import Recipients
package import Reporting
package import Settings

/// Makes the plan of a run from settings: the last that asks them.
package struct SendPlanner {
  /// All layers, merged.
  package let settings: Settings
  package let run: any RunSource
  package let resources: RunResources
  /// The scenario whose script the emulator plays; nil for none.
  package var scenario: Scenario?
  package let context: Context

  package init(
    settings: Settings, run: any RunSource, resources: RunResources, scenario: Scenario? = nil,
    context: Context
  ) {
    (self.settings, self.run, self.resources) = (settings, run, resources)
    (self.scenario, self.context) = (scenario, context)
  }

  /// The run, planned.
  ///
  /// - Throws: `Failure` for options that contradict each other.
  package func sending() throws(Failure) -> Sending {
    Sending(
      try SendPlan(settings, isOfStep: run.step != nil, context), run: run, resources: resources,
      scenario: scenario, context: context)
  }

  /// The destination of the run.
  ///
  /// - Parameters:
  ///   - files: the files read for the scenario; those outside its project require trust.
  ///   - find: finds the credentials for a server; nil unless runs share them.
  /// - Throws: `Failure` when it cannot be used, or an input file would be overwritten.
  package func destination(
    reading files: [String] = [],
    find: ((PushEnvironment) throws(Failure) -> NamedCredentials)? = nil
  ) throws(Failure) -> Destination {
    let destination = try Destination(
      settings, to: run.sources, of: scenario.map { ($0.file, files) }, context, find: find)
    if settings.history?.origin.isOption ?? false {
      var used = FilesInUse(filesRead(destination.credentials))
      for path in settings.historyFiles { try used.claim("--history", path) }
    }
    var used = try settings.claimResults(beside: filesRead(destination.credentials))
    try used.claim("SSLKEYLOGFILE", settings.tlsKeyLog.isOn ? KeyLog.path(context) : nil)
    return destination
  }

  /// The files that the run reads, without the history.
  package func filesRead(_ credentials: NamedCredentials) -> [String] {
    let settings = settings.filesRead(context) + credentials.settings.filesRead(context)
    let scenario = (scenario?.filesRead ?? []) + [scenario?.script].compactMap(\.self)
    return settings + scenario + (run.sources + run.suppression.sources).compactMap(\.path)
      + context.configuration.allPaths
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
    let other = dryRun.isOn ? Outputs.dryRun : enqueue.isOn ? Outputs.enqueuing : nil
    try json?.value.refuseUnknown(
      among: other ?? fields() + Outputs.result, other == nil ? listed : [])
    guard try lineTemplate(isOfStep: isOfStep, context) != nil else { return }
    if let dry = dryRun ?? curl { throw .conflict("--template", dry.origin.text) }
    if results?.value == "-" { throw .conflict("--template", "--results -") }
  }
}

extension SendPlanner {
  /// The preview to show before asking whether to send; nil if there is no need to ask, or nobody to
  /// answer. A channel always needs it, because it reaches every device that follows it.
  ///
  /// Call it before ``Sending/recipients(_:)``, because some lists allow one reader at a time.
  package func productionPreview(
    _ message: Message, at server: ServerChoice
  ) throws(Failure) -> ProductionPreview? {
    let isOnePush = run.sources.isOnePush || settings.limit?.value == 1
    guard server.environment.isProduction, !settings.yes.isOn, context.canConfirm,
      !isOnePush || message.channel != nil
    else { return nil }
    let lists = ListChoices(settings, DeliveryChoices(settings), copiesBeside: nil)
    let preview = try ProductionPreview(
      message, to: run.sources, try run.selection(lists), as: lists.format)
    return preview.isSmall ? nil : preview
  }

  /// Asks for confirmation of a preview, and of devices of another environment.
  ///
  /// - Parameter others: named devices that the settings do not have.
  /// - Throws: `Failure.notConfirmed` unless the answer is yes.
  func confirm(_ preview: ProductionPreview?, _ others: [Device] = []) throws(Failure) {
    if !settings.yes.isOn { try context.confirm(elsewhere: settings.devicesElsewhere(others)) }
    if let preview { try context.confirm([preview], showsTokens: settings.showTokens.isOn) }
  }
}

// What is missing, told all together.
extension SendPlanner {
  /// Refuses settings that lack several things. A single one is refused where it is needed.
  ///
  /// - Parameter content: the payload, unless the settings name it.
  package func refuseMissing(beside content: DraftPayload? = nil) throws(Failure) {
    let hasContent = content != nil || settings.namePayload || settings.makePayload
    let missing: [Failure?] = [
      settings.environment == nil ? .noEnvironment : nil,
      hasContent ? nil : .nothingToSend,
      settings.mayNameApp ? nil : .noApp,
      run.sources.isEmpty && !run.mayBeEmpty ? .noRecipients : nil,
      settings.needCredentials ? .noKey : nil,
    ]
    let failures = missing.compactMap(\.self)
    if failures.count > 1 { throw .several(failures) }
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
