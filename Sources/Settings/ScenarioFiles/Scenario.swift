public import APNS
internal import JSONText
public import Recipients

/// A file that describes what to send, to whom, where, and which responses to expect. Everything
/// but the notifications may be left to options, variables and profiles.
public struct Scenario: Sendable {
  /// The scenario's file, as the user named it.
  public var file: String
  /// The name in reports; nil when it has none.
  public var name: String?
  /// The settings for every step, without payloads and recipients, which are in ``steps``.
  package var settings = Settings()
  /// The channel that fills `{{channel}}`; nil when it has none.
  package var channel: ScenarioChannel?
  /// The ID of the channel that was created; nil before that.
  package var createdChannel: ChannelID?
  /// A script for the emulator; nil when there is none.
  package var script: String?
  /// The scenarios that it extends, directly or indirectly.
  package var bases: [String] = []
  /// The notifications in order: at least one.
  public var steps: [ScenarioStep] = []

  /// The files it was read from: its own, those that it extends, and payloads.
  package var filesRead: [String] = []

  /// The scenario has more than one notification.
  package var isSeveral: Bool { (steps.last?.number ?? 1) > 1 }

  /// The scenario's name, or its file.
  package var title: String { name ?? file }

  /// The settings for one of its steps.
  package func settings(for step: ScenarioStep) -> Settings {
    var settings = settings
    settings.headers = step.fields
    if let channel = channel.map(field) {
      settings.variables[Self.channelVariable] = Setting(
        JSON(.string(channel.value)), channel.origin ?? .file(file))
    }
    settings.channel = step.channel.map(field).map {
      Setting($0.value, $0.origin ?? .file(file))
    }
    return settings
  }
}

/// A notification of a scenario with its recipients and expected responses.
public struct ScenarioStep: Sendable {
  /// The number of the notification in its scenario, from 1.
  public var number = 1
  /// The name in reports; nil when it has none.
  public var name: String?
  /// The place of the step in the file.
  public var origin: Origin
  /// The wait since the end of the step before, in milliseconds.
  public var pauseMilliseconds = 0
  /// The headers of the notification, as written. `apns-expiration` may hold a time span.
  public var fields: [DraftField] = []
  /// The payload; nil when the notification has none.
  public var payload: DraftPayload?
  /// The step's own recipients, or else the scenario's.
  public var recipients: [ScenarioRecipient] = []
  /// The channel that replaces recipients; nil when the step goes to devices.
  public var channel: ScenarioChannel?
  /// The expected responses; nil only expects every push to be accepted.
  public var expectation: Expectation?
}

// Placeholders in reports for scenarios that could not be read.
extension Scenario {
  /// A scenario with nothing but its file.
  package init(unreadable file: String) { self.init(file: file) }
}

extension ScenarioStep {
  /// A step with nothing but its place.
  package init(at origin: Origin) { self.init(origin: origin) }
}

/// A recipient, or several, of a scenario.
public enum ScenarioRecipient: Sendable, Hashable {
  /// A device token, or a list of them, with its place in the file.
  case source(RecipientSource, Origin)
  /// A device or group by name, with its label in results and its place in the file.
  case device(String, list: String, Origin)

  /// The device token or the list; nil for a name.
  public var source: RecipientSource? {
    if case .source(let source, _) = self { source } else { nil }
  }

  /// The place in the file.
  public var origin: Origin {
    switch self {
    case .source(_, let origin), .device(_, _, let origin): origin
    }
  }

  /// The label in results.
  public var name: String {
    switch self {
    case .source(let source, _): source.name
    case .device(_, let list, _): list
    }
  }
}
