internal import APNS
internal import JSONText
internal import PlainText
internal import Recipients

/// Takes what one file says of a scenario out of its JSON, whose shape was checked.
struct ScenarioLayerReader {
  let file: String
  let readFile: (String) -> [UInt8]?
  let problems: ProblemList

  init(file: String, readFile: @escaping (String) -> [UInt8]?) {
    self.file = file
    self.readFile = readFile
    problems = ProblemList(file: file, kind: "scenario")
  }

  func layer(_ json: JSON) -> ScenarioLayer {
    var layer = ScenarioLayer()
    layer.position = json.position
    layer.name = json["name"]?.string
    layer.profile = json["profile"]?.string
    layer.bundleID = field(json["bundleID"], .topic)
    if let place = json["environment"] {
      layer.environment = EnvironmentSetting(place, problems)
      layer.roots = (place["ca"]?.string).map(path)
      layer.script = (place["emulator"]?["script"]?.string).map(path)
    }
    layer.credentials = json["credentials"].flatMap { CredentialsSetting($0, path: path) }
    layer.recipients = recipients(json["recipients"], at: "recipients")
    layer.variables = problems.variables(json["variables"], at: "variables")
    layer.content = content(json)
    layer.expectation = expectation(json["expect"], at: "expect")
    return layer
  }

  private func content(_ json: JSON) -> ScenarioLayer.Content? {
    // A value of another type was reported already.
    let stranger = json.object == nil ? Optional(json) : Optional.none
    if let notification = json["notification"] ?? stranger {
      return .notification(notice(notification, at: "notification"))
    }
    return json["steps"].map { .steps(steps($0.array ?? [])) }
  }

  /// A wait belongs to the step that follows.
  private func steps(_ entries: [JSON]) -> [ScenarioLayer.Notice] {
    var (steps, pause): ([ScenarioLayer.Notice], Int) = ([], 0)
    for (index, entry) in entries.enumerated() {
      if let wait = entry["wait"] {
        pause += wait.string.flatMap { TimeSpan.milliseconds($0) } ?? 0
      } else {
        steps.append(step(entry, at: "steps[\(index)]", after: pause))
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

  private func step(_ json: JSON, at path: String, after pause: Int) -> ScenarioLayer.Notice {
    var step = notice(json["notification"] ?? json, at: "\(path).notification")
    step.name = json["name"]?.string
    step.origin = .file(file, at: json.position)
    step.pauseMilliseconds = pause
    step.recipients = recipients(json["recipients"], at: "\(path).recipients")
    step.expectation = expectation(json["expect"], at: "\(path).expect")
    // That there is no notification was reported already.
    step.hasPayload = step.hasPayload || json["notification"] == nil
    return step
  }

  // MARK: Who

  /// Text of hex digits is a device token, anything else a file.
  private func recipients(_ json: JSON?, at place: String) -> [RecipientSource]? {
    json?.array?.enumerated().compactMap { index, entry in
      entry.string.map { text in
        if let token = try? DeviceToken(tidying: text) {
          return .tokens([token], name: "\(file): \(place)[\(index)]")
        }
        return .file(path(text))
      }
    }
  }

  // MARK: What

  private func notice(_ json: JSON, at place: String) -> ScenarioLayer.Notice {
    var notice = ScenarioLayer.Notice()
    let rows: [(key: String, name: HeaderName)] = [
      ("type", .pushType), ("topic", .topic), ("priority", .priority),
      ("expiration", .expiration), ("collapseID", .collapseID),
    ]
    notice.fields = rows.compactMap { field(json[$0.key], $0.name) }
    notice.fields += (json["headers"]?.object?.members ?? []).compactMap { field($0.value, $0.key) }
    notice.origin = .file(file, at: json.position)
    // A value of another type was reported already.
    notice.hasPayload = json.object == nil || json["payload"] != nil
    notice.payload = json["payload"].flatMap { payload($0, at: "\(place).payload") }
    return notice
  }

  private func field(_ json: JSON?, _ name: HeaderName) -> DraftField? { field(json, name.text) }

  private func field(_ json: JSON?, _ name: String) -> DraftField? {
    guard let json, let text = json.number?.text ?? json.string else { return nil }
    return DraftField(name, text, from: .file(file, at: json.position))
  }

  /// A path to a file, or the payload itself.
  private func payload(_ json: JSON, at place: String) -> DraftPayload? {
    if json.object != nil { return DraftPayload(json, bytes: json.encoded(.wire), file: file) }
    guard let name = json.string else { return nil }
    let bytes = readFile(path(name))
    if bytes == nil {
      problems.add(
        json, place, "There is no file \(path(name).printable) that can be read.",
        fix: "Name a JSON file, relative to the folder of this file.")
    }
    return bytes.map { DraftPayload(reading: $0, file: path(name)) }
  }

  // MARK: What must come back

  private func expectation(_ json: JSON?, at place: String) -> Expectation? {
    guard let json, json.object != nil else { return nil }
    var expectation = Expectation(from: .file(file, at: json.position))
    expectation.status = (json["status"]?.number?.int).map { Status(rawValue: $0) }
    expectation.reason = json["reason"].flatMap { reason($0, at: "\(place).reason") }
    expectation.acceptedAtLeast = json["acceptedAtLeast"]?.number?.double
    expectation.latencyP99Below = json["latencyP99Below"]?.string
      .flatMap { TimeSpan.milliseconds($0) }
    checkSense(of: expectation, json, at: place)
    return expectation
  }

  private func reason(_ json: JSON, at place: String) -> Reason? {
    guard let text = json.string else { return nil }
    let reason = Reason(rawValue: text)
    if reason == nil {
      problems.add(
        json, place, "This is not a reason.", fix: "Use 1 to 64 printable ASCII characters.")
    }
    return reason
  }

  /// Accepted pushes have no reason, and those that are not accepted no status 200.
  private func checkSense(of expectation: Expectation, _ json: JSON, at place: String) {
    guard expectation.status == .accepted else { return }
    for key in ["reason", "acceptedAtLeast"] where json[key] != nil {
      problems.add(
        json, "\(place).\(key)", "'status: 200' wants every push accepted, which '\(key)' denies.",
        fix: "Remove one of them.")
    }
  }

  // MARK: Paths

  /// A path as it is from here, where the file wrote it as it is from there.
  func path(_ name: String) -> String { name.path(inFolderOf: file) }
}
