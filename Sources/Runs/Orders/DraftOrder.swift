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
    assembly = assemble(settings)
  }

  /// The order with the ID of a channel that its scenario has created.
  package func naming(_ channel: ChannelID) -> DraftOrder { DraftOrder(self, naming: channel) }

  /// Makes a draft that may lack a topic, because it is not sent.
  package var unsent: DraftAssembly {
    var assembly = assembly
    assembly.isToBeSent = false
    return assembly
  }
}
