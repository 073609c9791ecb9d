public import APNS
internal import JSONText
public import Recipients

/// A file that says what to send, to whom, where, and what answer is expected. Everything but the
/// notifications may be left to options, variables and profiles.
public struct Scenario: Sendable {
  /// The scenario's file, as the user named it.
  public var file: String
  /// What reports call it; nil when it does not say.
  public var name: String?
  /// What it says about every step. Payloads and recipients are not settings: they are in ``steps``.
  package var settings = Settings()
  /// The channel that fills `{{channel}}`; nil when it has none.
  package var channel: ScenarioChannel?
  /// The ID of the channel that was created; nil until then.
  package var createdChannel: ChannelID?
  /// A script for the emulator; nil when there is none.
  package var script: String?
  /// The scenarios that it extends, directly or not.
  package var bases: [String] = []
  /// What is sent, in order: at least one.
  public var steps: [ScenarioStep] = []

  /// The files that it was read from: its own, those that it extends, and payloads.
  package var filesRead: [String] = []

  /// Whether its notifications are steps of several.
  package var isSeveral: Bool { (steps.last?.number ?? 1) > 1 }

  /// The scenario's name, or its file.
  package var title: String { name ?? file }

  /// What it says about one of its steps.
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

/// One notification of a scenario, to whom it goes, and what answer is expected.
public struct ScenarioStep: Sendable {
  /// Its number among the notifications of its scenario, from 1.
  public var number = 1
  /// What reports call it; nil when it does not say.
  public var name: String?
  /// Where it is written.
  public var origin: Origin
  /// How long to wait before it, from the end of the step before, in milliseconds.
  public var pauseMilliseconds = 0
  /// The headers that the notification gives, as written. `apns-expiration` may hold a time span.
  public var fields: [DraftField] = []
  /// The payload; nil when the notification has none.
  public var payload: DraftPayload?
  /// Its own recipients, else the scenario's.
  public var recipients: [ScenarioRecipient] = []
  /// The channel that it goes to in place of recipients; nil when it goes to devices.
  public var channel: ScenarioChannel?
  /// What answers are expected; nil only expects every push to be accepted.
  public var expectation: Expectation?
}

// What stands for a scenario that could not be read, in reports.
extension Scenario {
  /// A scenario of which only the file is known.
  package init(unreadable file: String) { self.init(file: file) }
}

extension ScenarioStep {
  /// The place of a step of which nothing else is known.
  package init(at origin: Origin) { self.init(origin: origin) }
}

/// Who a scenario sends to.
public enum ScenarioRecipient: Sendable, Hashable {
  /// A device token, or a list of them.
  case source(RecipientSource)
  /// A device or group by its name, what results call it, and where it is written.
  case device(String, list: String, Origin)

  /// The device token or the list; nil for a name.
  public var source: RecipientSource? {
    if case .source(let source) = self { source } else { nil }
  }

  /// What results call it.
  public var name: String {
    switch self {
    case .source(let source): source.name
    case .device(_, let list, _): list
    }
  }
}
