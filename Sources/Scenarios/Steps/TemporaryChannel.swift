internal import APNS
internal import PlainText
internal import Reporting
internal import Runs
internal import Settings

/// The channel that a scenario creates, checked as far as possible in advance.
struct PreparedChannel: Sendable {
  let policy: StoragePolicy
  let app: BundleID
  /// The server that manages the channel.
  let server: ServerChoice
  let credentials: OpenedCredentials
  let known: KnownChannels
  /// The merged settings of the step that it is prepared with.
  let settings: Settings
}

extension PreparedStep {
  /// Checks everything that could prevent the scenario's channel from being created on this step's
  /// server. Sends nothing.
  func prepareChannel(storing policy: StoragePolicy) throws(Failure) -> PreparedChannel {
    let (destination, settings) = (plan.destination, step.settings)
    let (server, context) = (destination.server, step.common.context)
    if server.alternative != nil { throw .broadcastToAuto }
    let app = try BundleID(ofChannels: settings, destination.credentials)
    return PreparedChannel(
      policy: policy, app: app, server: try server.managing(settings, context),
      credentials: try destination.open(context),
      known: try KnownChannels(settings, at: server.named, of: app, context), settings: settings)
  }
}

extension [PreparedStep] {
  /// The step that determines where the channel is created: the first that sends to it, or else the
  /// first.
  var besideCreatedChannel: PreparedStep? {
    first { $0.step.step.channel?.isCreated ?? false } ?? first
  }
}

/// The channel of a running scenario: created before the first push, deleted after the last. Used
/// only on the scenario's thread.
final class TemporaryChannel {
  private let prepared: PreparedChannel
  private let scenario: Scenario
  private let common: ScenarioResources
  private var service: ChannelService?
  /// The channel's ID; nil until it is created.
  private(set) var id: ChannelID?

  init(_ prepared: PreparedChannel, of scenario: Scenario, _ common: ScenarioResources) {
    (self.prepared, self.scenario, self.common) = (prepared, scenario, common)
  }

  /// Creates the channel unless it exists, and records it before anything is sent to it.
  func create() throws(Failure) {
    if id != nil { return }
    let endpoint = try common.resources.endpoint(
      of: prepared.server, for: scenario, common.context)
    let service = ChannelService(
      prepared.app, at: endpoint, as: prepared.credentials, prepared.settings, common.context)
    self.service = service
    let (reply, requestID) = try service.ask(.create(prepared.policy))
    guard case .created(let id) = reply else {
      preconditionFailure("a channel that was created has an ID")
    }
    self.id = id
    let known = prepared.known
    try known.record(known.created(id, prepared.policy, requestID: requestID))
    common.context.teller.detail("channel \(id): created, stores \(prepared.policy.words)")
  }

  /// Deletes the channel if it was created, even if the command was interrupted.
  ///
  /// - Returns: the reason it may still exist; nil if it does not.
  func delete() -> Failure? {
    guard let id, let service else { return nil }
    do throws(Failure) {
      try delete(id, service)
      try prepared.known.record(deleted: id)
    } catch {
      return .channelLeft(error, fix: prepared.wayToDelete(id))
    }
    common.context.teller.detail("channel \(id): deleted")
    return nil
  }

  private func delete(_ id: ChannelID, _ service: ChannelService) throws(Failure) {
    do throws(Failure) { _ = try service.ask(.delete(id)) } catch {
      // Already deleted elsewhere.
      guard case .refused(let response)? = error.cause(ChannelRequestFault.self),
        response.reason == .channelNotRegistered
      else { throw error }
    }
  }
}

extension PreparedChannel {
  /// The fix for a channel that was not deleted.
  fileprivate func wayToDelete(_ id: ChannelID) -> String {
    let place: String
    switch server.named {
    case .emulator: return "It ends with the emulator of this command."
    case .server(let address): place = "--server \(shellWord(address.description))"
    case .production, .sandbox, .inbox: place = "--env \(server.named.name)"
    }
    let given = [("--manage-host", settings.manageHost), ("--ca", settings.ca)]
      .compactMap { option, setting in setting.map { " \(option) \(shellWord($0.value))" } }
    return "Delete it with 'fanfare channel delete \(shellWord(id.text)) --bundle-id "
      + "\(shellWord(app.text)) \(place)\(given.joined())'."
  }
}

extension Scenario {
  /// A dry run's note on the channel that would be created; nil for none.
  var noteOfChannel: String? {
    channelToCreate.map { policy in
      "\(file.printable): would create a channel that stores \(policy.words), and delete it at the "
        + "end; \(Self.channelToCome) stands for its ID"
    }
  }
}

extension StepReport {
  /// The entry at the end of a scenario whose channel was not deleted.
  init(leftBy scenario: Scenario, _ failure: Failure) {
    var step = ScenarioStep(at: .file(scenario.file))
    step.number = scenario.steps.last?.number ?? 1
    self.init(scenario: scenario, step: step, verdict: .left(failure), exitCode: .failure)
  }
}

extension Failure {
  /// The channel that a scenario created may still exist. Its pushes are not affected.
  fileprivate static func channelLeft(_ failure: Failure, fix: String) -> Failure {
    Failure(failure.sentence, fix: fix, .failure)
  }
}
