public import APNS

/// A broadcast channel that a scenario sends to.
public enum ScenarioChannel: Sendable, Hashable {
  /// One that exists, by its ID as it was written.
  case existing(DraftField)
  /// The one that the scenario creates before its first step and deletes after its last.
  case created(StoragePolicy)
}

extension Scenario {
  /// The placeholder that the scenario's channel fills.
  static let channelVariable = "channel"

  /// What stands for the ID of a channel that is not created yet.
  package static let channelToCome = "Y3JlYXRlZCBieSBhIHJ1bg=="

  /// What the channel stores that is to be created; nil when none is.
  package var channelToCreate: StoragePolicy? {
    createdChannel == nil ? channel?.storage : nil
  }

  /// The same with another channel in place of every one that it names or creates; with none, as it
  /// is.
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

  /// The ID of a channel, or what stands for it.
  func field(of channel: ScenarioChannel) -> DraftField {
    switch channel {
    case .existing(let field): field
    case .created:
      DraftField(
        .channelID, createdChannel?.text ?? Self.channelToCome, from: .file(file))
    }
  }
}

extension ScenarioChannel {
  /// Whether the scenario creates it.
  package var isCreated: Bool { storage != nil }

  /// What it stores; nil for one that the scenario does not create.
  package var storage: StoragePolicy? {
    if case .created(let policy) = self { policy } else { nil }
  }
}

extension Settings {
  /// These options as they count for a step: device tokens replace those of steps that go to
  /// devices.
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
