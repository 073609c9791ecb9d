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
  package static let channelToCome = (try? ChannelID("Y3JlYXRlZCBieSBhIHJ1bg=="))?.text ?? ""

  /// What the channel stores that is to be created; nil when none is.
  package var channelToCreate: StoragePolicy? {
    if createdChannel == nil, case .created(let policy) = channel { policy } else { nil }
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
