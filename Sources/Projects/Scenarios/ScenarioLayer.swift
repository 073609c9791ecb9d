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
    /// Its own recipients; nil leaves them to the scenario.
    var recipients: [RecipientSource]?
  }

  var position: JSONPosition?
  /// Whether all files that it extends could be read.
  var isWhole = true
  var name: String?
  var settings = Settings()
  var script: String?
  /// The files that it extends.
  var bases: [String] = []
  var recipients: [RecipientSource]?
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
    layer.recipients = recipients ?? base.recipients
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
      step.recipients = part.recipients ?? recipients ?? []
      step.expectation = step.expectation ?? expectation
      return step
    }
    return Scenario(
      file: file, name: name, settings: settings, script: script, bases: bases, steps: steps)
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
