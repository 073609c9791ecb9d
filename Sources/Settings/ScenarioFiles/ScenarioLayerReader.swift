internal import APNS
internal import JSONText
internal import PlainText
internal import Recipients

/// Reads one file of a scenario from JSON of a checked shape.
struct ScenarioLayerReader {
  /// The scenario, which may be a file that extends this one: the origin of its settings.
  let scenario: String
  /// The folder for `~`; nil leaves `~` as it is.
  let home: String?
  let readFile: (String) -> [UInt8]?
  let problems: ProblemList

  var file: String { problems.file }

  func layer(_ json: JSON) -> ScenarioLayer {
    let reader = SettingsReader(json: json, problems: problems, path: path) { _ in .file(scenario) }
    var layer = ScenarioLayer()
    layer.position = json.position
    layer.name = json["name"]?.string
    layer.settings = reader.settings()
    layer.settings.profile = reader.setting("profile", \.string)
    layer.settings.bundleID = (json["bundleID"]?.string).map {
      Setting($0, .file(file, at: json["bundleID"]?.position))
    }
    layer.script = (json["environment"]?["emulator"]?["script"]?.string).map(path)
    layer.target = target(json, at: "", &layer.channel)
    if case .channel(let existing?) = layer.target {
      (layer.channel, layer.target) = (existing, .channel(nil))
    }
    if json.object == nil {
      // A value of the wrong type has been reported already.
      layer.notification = part(json, at: "notification")
    } else if let notification = json["notification"] {
      layer.notification = part(notification, at: "notification")
    } else {
      layer.steps = json["steps"].map { steps($0.array ?? [], &layer.channel) }
    }
    layer.expectation = expectation(json["expect"], at: "expect")
    return layer
  }

  /// Reads the steps. A wait belongs to the step after it.
  private func steps(
    _ entries: [JSON], _ channel: inout ScenarioChannel?
  ) -> [ScenarioLayer.Part] {
    var (steps, pause): ([ScenarioLayer.Part], Int) = ([], 0)
    for (index, entry) in entries.enumerated() {
      if let wait = entry["wait"] {
        pause += wait.string.flatMap { TimeSpan.milliseconds($0) } ?? 0
      } else {
        steps.append(step(entry, at: "steps[\(index)]", after: pause, &channel))
        pause = 0
      }
    }
    if let last = entries.last, last["wait"] != nil, !steps.isEmpty {
      problems.add(
        last, "steps[\(entries.count - 1)].wait", "Nothing follows this wait.",
        fix: "Take it out, or add a step.")
    }
    return steps
  }

  private func step(
    _ json: JSON, at place: String, after pause: Int, _ channel: inout ScenarioChannel?
  ) -> ScenarioLayer.Part {
    var part = part(json["notification"] ?? json, at: "\(place).notification")
    part.step.name = json["name"]?.string
    part.step.origin = .file(file, at: json.position)
    part.step.pauseMilliseconds = pause
    part.target = target(json, at: "\(place).", &channel)
    part.step.expectation = expectation(json["expect"], at: "\(place).expect")
    // A missing notification has been reported already.
    part.hasPayload = part.hasPayload || json["notification"] == nil
    return part
  }

  /// The destination of a scenario or a step; nil when it has none.
  ///
  /// - Parameter channel: the scenario's channel, set here if the scenario creates it.
  private func target(
    _ json: JSON, at place: String, _ channel: inout ScenarioChannel?
  ) -> ScenarioLayer.Target? {
    guard let written = json["channel"] else {
      return recipients(json["recipients"], at: "\(place)recipients").map { .recipients($0) }
    }
    if let text = written.string {
      let isScenarios = text == "{{\(Scenario.channelVariable)}}"
      let origin = Origin.file(file, at: written.position)
      return .channel(isScenarios ? nil : .existing(DraftField(.channelID, text, from: origin)))
    }
    guard let new = written["create"], new.object != nil else { return nil }
    if channel != nil {
      problems.add(
        written, "\(place)channel", "The scenario has a channel already.",
        fix: "Write channel: \"{{\(Scenario.channelVariable)}}\" to send to that one.")
    }
    channel = .created(new["store"]?.bool ?? false ? .latest : .nothing)
    return .channel(nil)
  }

  private func recipients(_ json: JSON?, at place: String) -> [ScenarioRecipient]? {
    json?.array?.enumerated().compactMap { index, entry in
      entry.string.flatMap { recipient($0, entry, at: "\(place)[\(index)]") }
    }
  }

  /// Reads hex digits as a device token, `device:NAME` as a named device or group, anything else as
  /// a file. Nil for a mistyped device token, which is reported.
  private func recipient(_ text: String, _ json: JSON, at place: String) -> ScenarioRecipient? {
    let (list, origin) = ("\(file): \(place)", Origin.file(file, at: json.position))
    if text.hasPrefix("device:") {
      return .device(String(text.dropFirst(7)), list: list, origin)
    }
    do throws(DeviceTokenError) {
      return .source(.tokens([try DeviceToken(tidying: text)], name: list), origin)
    } catch {
      guard error.isOfToken(text) else { return .source(.file(path(text)), origin) }
      problems.add(
        json, place, "This is not a device token: \(error.clause).",
        fix: "Write its hexadecimal digits, or the path of a list.")
      return nil
    }
  }

  private func part(_ json: JSON, at place: String) -> ScenarioLayer.Part {
    let rows: [(key: String, name: HeaderName)] = [
      ("type", .pushType), ("topic", .topic), ("priority", .priority),
      ("expiration", .expiration), ("collapseID", .collapseID),
    ]
    var part = ScenarioLayer.Part(step: ScenarioStep(origin: .file(file, at: json.position)))
    part.step.fields =
      rows.compactMap { field(json[$0.key], $0.name.text) }
      + (json["headers"]?.object?.members ?? []).compactMap { field($0.value, $0.key) }
    // A value of the wrong type has been reported already.
    part.hasPayload = json.object == nil || json["payload"] != nil
    part.step.payload = json["payload"].flatMap { payload($0, at: "\(place).payload") }
    return part
  }

  private func field(_ json: JSON?, _ name: String) -> DraftField? {
    guard let json, let text = json.number?.text ?? json.string else { return nil }
    return DraftField(name, text, from: .file(file, at: json.position))
  }

  /// Reads a path to a file, or the payload itself.
  private func payload(_ json: JSON, at place: String) -> DraftPayload? {
    if json.object != nil { return DraftPayload(json, bytes: json.encoded(.wire), file: file) }
    return contents(json, at: place, "JSON file").map { DraftPayload(reading: $1, file: $0) }
  }

  private func expectation(_ json: JSON?, at place: String) -> Expectation? {
    guard let json, json.object != nil else { return nil }
    var expectation = Expectation(origin: .file(file, at: json.position))
    expectation.status = (json["status"]?.number?.whole).map { Status(rawValue: $0) }
    expectation.reason = json["reason"].flatMap {
      problems.valid(
        $0.string.flatMap { Reason(rawValue: $0) }, $0, "\(place).reason", "This is not a reason.",
        fix: "Use 1 to 64 printable ASCII characters.")
    }
    expectation.acceptedAtLeast = json["acceptedAtLeast"]?.number?.double
    expectation.latencyP99Below = json["latencyP99Below"]?.string
      .flatMap { TimeSpan.milliseconds($0) }
    checkSense(of: expectation, json, at: place)
    return expectation
  }

  /// Reports contradictions: accepted pushes have no reason, others no status 200.
  private func checkSense(of expectation: Expectation, _ json: JSON, at place: String) {
    guard expectation.status == .accepted else { return }
    for key in ["reason", "acceptedAtLeast"] where json[key] != nil {
      problems.add(
        json, "\(place).\(key)", "'status: 200' wants every push accepted, which '\(key)' denies.",
        fix: "Remove one of them.")
    }
  }

  /// The contents of a file named by a value; nil when it cannot be read, which is reported.
  func contents(_ json: JSON, at place: String, _ kind: String) -> (path: String, bytes: [UInt8])? {
    guard let path = json.string.map(path) else { return nil }
    if let bytes = readFile(path) { return (path, bytes) }
    problems.add(
      json, place, "There is no file \(path.printable) that can be read.",
      fix: "Name a \(kind), relative to the folder of this file.")
    return nil
  }

  /// A path, resolved to one from the working folder.
  func path(_ name: String) -> String { name.path(inFolderOf: file, home: home) }
}
