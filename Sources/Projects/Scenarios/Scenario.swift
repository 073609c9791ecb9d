public import APNS
public import JSONText

/// A file that says what to send, to whom, where, and what must come back. Every part but the
/// notifications may be left to options, variables and profiles.
public struct Scenario: Sendable {
  /// The scenario's file, as the user named it.
  public var file: String

  /// What it is called; nil when it does not say.
  public var name: String?

  /// The profile that fills what it leaves out; nil when it does not say.
  public var profile: String?

  /// The app, as it was written; nil when the scenario does not say.
  public var bundleID: DraftField?

  /// The service; nil when the scenario does not say.
  public var environment: EnvironmentSetting?

  /// A PEM file of certificates to trust; nil adds none.
  public var roots: String?

  /// A script for the emulator; nil when there is none.
  public var script: String?

  /// Who is sending; nil when the scenario does not say.
  public var credentials: CredentialsSetting?

  /// What placeholders of the payload take where a recipient has no value; JSON types are kept.
  public var variables: [String: JSON] = [:]

  /// What is sent, in order: at least one.
  public var steps: [ScenarioStep] = []

  /// Whether its notifications are steps of several.
  public var isSeveral: Bool { (steps.last?.number ?? 1) > 1 }

  /// The scenario's name, or its file.
  public var title: String { name ?? file }
}
