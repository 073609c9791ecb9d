public import APNS
internal import JSONText

/// A broadcast channel that a scenario sends to.
public enum ScenarioChannel: Sendable, Hashable {
  /// An existing channel, by its ID as written.
  case existing(DraftField)
  /// A channel that the scenario creates before its first step and deletes after its last.
  case created(StoragePolicy)
}

extension Scenario {
  /// The placeholder for the scenario's channel.
  static let channelVariable = "channel"

  /// A stand-in for the ID of a channel that is not created yet.
  package static let channelToCome = "Y3JlYXRlZCBieSBhIHJ1bg=="

  /// The storage policy of the channel to create; nil when none is needed.
  package var channelToCreate: StoragePolicy? {
    createdChannel == nil ? channel?.storage : nil
  }

  /// The scenario with another channel replacing every one that it names or creates; nil leaves it
  /// unchanged.
  package func sending(to other: Setting<String>?) -> Scenario {
    guard let other else { return self }
    let channel = ScenarioChannel.existing(
      DraftField(.channelID, other.value, from: other.origin))
    var scenario = self
    if self.channel != nil { scenario.channel = channel }
    for index in steps.indices where steps[index].channel != nil {
      scenario.steps[index].channel = channel
    }
    return scenario
  }

  /// The ID of a channel, or the stand-in for it.
  func field(of channel: ScenarioChannel) -> DraftField {
    switch channel {
    case .existing(let field): field
    case .created:
      DraftField(
        .channelID, createdChannel?.text ?? Self.channelToCome, from: .file(file))
    }
  }
}

extension Settings {
  /// The merged settings of a step, with the ID of the channel that its scenario has created.
  package func naming(_ channel: ChannelID) -> Settings {
    var named = self
    if self.channel?.value == Scenario.channelToCome { named.channel?.value = channel.text }
    let name = Scenario.channelVariable
    if variables[name]?.value.string == Scenario.channelToCome {
      named.variables[name]?.value = JSON(.string(channel.text))
    }
    return named
  }
}

extension ScenarioChannel {
  /// The scenario creates the channel.
  package var isCreated: Bool { storage != nil }

  /// The storage policy; nil for a channel that the scenario does not create.
  package var storage: StoragePolicy? {
    if case .created(let policy) = self { policy } else { nil }
  }
}

extension Settings {
  /// The options that apply to a step: device tokens replace only recipients that are devices.
  package func counting(for step: ScenarioStep) -> Settings {
    var options = self
    if step.channel == nil {
      options.channel = nil
    } else {
      (options.to, options.tokens) = (nil, nil)
    }
    return options
  }
}
