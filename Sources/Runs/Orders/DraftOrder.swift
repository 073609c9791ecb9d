package import APNS
package import Recipients
package import Reporting
package import Settings

/// A notification as it was ordered: settings merged once, and recipients. `check`, `preview` and
/// `simulate` make its draft and go no further; a step of a scenario becomes a ``RunOrder``.
package struct DraftOrder {
  package typealias Found = (sources: [RecipientSource], devices: [Device])

  /// All layers, merged.
  package let settings: Settings
  /// Those of the command line, or else of the step.
  package let recipients: [RecipientSource]
  /// The command line names the recipients.
  package let areGiven: Bool
  /// The named devices among the recipients of the step.
  package let devices: [Device]
  /// The files that are read for a step: those that its scenario extends, and its payload and lists
  /// unless options replace them.
  package let reads: [String]
  /// The file of the step's scenario; nil for options alone.
  private let scenario: String?
  package private(set) var assembly: DraftAssembly
  /// Makes the assembly of other settings.
  private let assemble: (Settings) -> DraftAssembly

  /// The order of options alone, whose payload's folder may name the push type.
  ///
  /// - Throws: `Failure` if a layer of settings is invalid.
  package init(
    _ options: Settings, reading parts: Set<SettingField.Part>, _ context: Context
  ) throws(Failure) {
    settings = try options.merged(reading: parts, context)
    (recipients, devices) = (settings.recipientSources, [])
    areGiven = !recipients.isEmpty
    (reads, scenario) = ([], nil)
    assemble = { DraftAssembly($0, context) }
    assembly = assemble(settings)
    assembly.presumedType = settings.payload.flatMap { PushType(namedByFolderOf: $0.value) }
  }

  /// The order of a scenario's step, which options override.
  ///
  /// - Parameters:
  ///   - found: the recipients of the step, if they have been looked up.
  ///   - contents: the contents of the payload's file, if it has been read already.
  /// - Throws: `Failure` if a layer of settings is invalid, or a name of a device is unknown.
  package init(
    _ options: Settings, _ step: ScenarioStep, of scenario: Scenario, to found: Found? = nil,
    reading parts: Set<SettingField.Part> = Settings.parts, contents: [UInt8]? = nil,
    _ context: Context
  ) throws(Failure) {
    let options = options.counting(for: step)
    let given = options.recipientSources
    let isLookedUp = given.isEmpty && parts.contains(.to)
    let named: Found =
      if let found { found } else if isLookedUp { try context.found(step.recipients) } else {
        ([], [])
      }
    settings = try options.merged(
      over: scenario.settings(for: step), for: named.devices, reading: parts, context)
    let channel = settings.channel.map {
      RecipientSource.channel($0.value, name: "\(scenario.file): channel")
    }
    recipients = given.isEmpty ? channel.map { [$0] } ?? named.sources : given
    (areGiven, devices) = (!given.isEmpty, named.devices)
    self.scenario = scenario.file
    let payload = settings.namePayload ? nil : step.payload?.file
    reads =
      scenario.bases + [payload].compactMap(\.self)
      + (areGiven ? [] : recipients).compactMap { source in
        if case .file(let path) = source { path } else { nil }
      }
    assemble = { settings in
      var assembly = DraftAssembly(settings, else: step.payload, context)
      assembly.payloadContents = contents
      assembly.channelStorage = step.channel?.storage
      return assembly
    }
    assembly = assemble(settings)
  }

  private init(_ order: DraftOrder, naming channel: ChannelID) {
    settings = order.settings.naming(channel)
    recipients = order.recipients.map { source in
      guard case .channel(Scenario.channelToCome, let name) = source else { return source }
      return .channel(channel.text, name: name)
    }
    (areGiven, devices, assemble) = (order.areGiven, order.devices, order.assemble)
    (reads, scenario) = (order.reads, order.scenario)
    assembly = assemble(settings)
  }

  /// The order with the ID of a channel that its scenario has created.
  package func naming(_ channel: ChannelID) -> DraftOrder { DraftOrder(self, naming: channel) }

  /// Requires consent to show what it reads outside of its scenario's project, as sending that does.
  package func requireTrust(_ context: Context) throws(Failure) {
    let reading = scenario.map { (file: $0, reads: reads) }
    try ProjectTrust(settings, scenario: reading, isShown: true, context).require()
  }

  /// Makes a draft that may lack a topic, because it is not sent.
  package var unsent: DraftAssembly {
    var assembly = assembly
    assembly.isToBeSent = false
    return assembly
  }
}
