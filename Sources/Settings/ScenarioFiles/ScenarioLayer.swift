internal import APNS
internal import JSONText

/// The contents of one file of a scenario. The file that it extends may supply the rest.
struct ScenarioLayer {
  /// A step as described by one file.
  struct Part {
    var step: ScenarioStep
    /// It names a payload, readable or not.
    var hasPayload = false
    /// The destination; nil for the scenario's.
    var target: Target?
  }

  /// The destination of pushes.
  enum Target {
    case recipients([ScenarioRecipient])
    /// A channel; nil for the scenario's own, which may be defined in another file.
    case channel(ScenarioChannel?)
  }

  var position: JSONPosition?
  /// All files that it extends could be read.
  var isWhole = true
  var name: String?
  var settings = Settings()
  var script: String?
  /// The files that it extends.
  var bases: [String] = []
  /// The channel that fills `{{channel}}`.
  var channel: ScenarioChannel?
  var target: Target?
  /// The only notification; nil when there are steps, or neither.
  var notification: Part?
  var steps: [Part]?
  var expectation: Expectation?

  /// Merges this layer with the one it extends. Environment, credentials and steps are taken as a
  /// whole from one of them, variables and the parts of a notification one by one.
  func over(_ base: ScenarioLayer) -> ScenarioLayer {
    var layer = self
    layer.name = name ?? base.name
    if settings.environment == nil { layer.script = base.script }
    layer.settings = settings.over(base.settings)
    layer.channel = channel ?? base.channel
    layer.target = target ?? base.target
    layer.expectation = expectation ?? base.expectation
    if steps == nil {
      layer.notification = base.notification.map { notification?.over($0) ?? $0 } ?? notification
      if notification == nil { layer.steps = base.steps }
    }
    return layer
  }

  var parts: [Part] { notification.map { [$0] } ?? steps ?? [] }

  func scenario(in file: String) -> Scenario {
    let steps = parts.enumerated().map { index, part in
      var step = part.step
      step.number = index + 1
      switch part.target ?? target {
      case .recipients(let recipients): step.recipients = recipients
      case .channel(let own): step.channel = own ?? channel
      case nil: break
      }
      step.expectation = step.expectation ?? expectation
      return step
    }
    return Scenario(
      file: file, name: name, settings: settings, channel: channel, script: script, bases: bases,
      steps: steps)
  }
}

extension ScenarioLayer.Part {
  fileprivate func over(_ base: Self) -> Self {
    var part = self
    let names = step.fields.map(\.name)
    part.step.fields += base.step.fields.filter { !names.contains($0.name) }
    if !hasPayload { (part.step.payload, part.hasPayload) = (base.step.payload, base.hasPayload) }
    return part
  }
}
