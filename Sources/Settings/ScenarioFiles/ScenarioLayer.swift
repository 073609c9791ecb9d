internal import APNS
internal import JSONText
internal import Recipients

/// What one file says of a scenario. What it leaves out may be in the file that it extends.
struct ScenarioLayer {
  /// A step as far as one file describes it.
  struct Part {
    var step: ScenarioStep
    /// Whether it names a payload, readable or not.
    var hasPayload = false
    /// Where it goes; nil leaves that to the scenario.
    var target: Target?
  }

  /// Where pushes go.
  enum Target {
    case recipients([ScenarioRecipient])
    /// nil for the scenario's own, which may be written in another file.
    case channel(ScenarioChannel?)
  }

  var position: JSONPosition?
  /// Whether all files that it extends could be read.
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

  /// This layer, with what it leaves out as another says it. Where to send, credentials and steps
  /// come whole from one of them, variables and the parts of a notification one by one.
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
