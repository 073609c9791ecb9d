internal import APNS
internal import JSONText
internal import PushModel

extension Profile {
  /// A profile out of JSON whose shape was checked.
  init(_ member: JSONMember, _ paths: FilePaths, _ problems: ProblemList) {
    self.init(name: member.key, file: paths.file)
    let (json, place) = (member.value, "profiles.\(member.key)")
    note(json, "", at: member.keyPosition)
    readPlace(json, place, paths, problems)
    readRunning(json, place, problems)
    credentials = json["credentials"].flatMap { CredentialsSetting($0, path: { paths($0) }) }
    history = (json["history"]?.string).map { paths($0) }
    variables = problems.variables(json["variables"], at: "\(place).variables")
  }

  /// Remembers where keys stand: its own, and those of the objects in it.
  private mutating func note(_ json: JSON, _ path: String, at position: JSONPosition?) {
    positions[path] = position
    for member in json.object?.members ?? [] {
      let key = path.isEmpty ? member.key : "\(path).\(member.key)"
      note(member.value, key, at: member.keyPosition)
    }
  }

  private mutating func readPlace(
    _ json: JSON, _ place: String, _ paths: FilePaths, _ problems: ProblemList
  ) {
    bundleID = json["bundleID"].flatMap { Self.bundleID($0, "\(place).bundleID", problems) }
    environment = json["environment"].flatMap {
      EnvironmentSetting($0, at: "\(place).environment", problems)
    }
    serverRoots = (json["environment"]?["ca"]?.string).map { paths($0) }
    roots = (json["ca"]?.string).map { paths($0) }
    port = (json["port"]?.number?.int).flatMap { UInt16(exactly: $0) }
    proxy = json["proxy"]?.string
  }

  private mutating func readRunning(_ json: JSON, _ place: String, _ problems: ProblemList) {
    connections = json["connections"]?.number?.int
    retries = json["retries"]?.number?.int
    timeoutMilliseconds = time(json["timeout"], "\(place).timeout", problems)
    retryDelayMilliseconds = time(json["retryDelay"], "\(place).retryDelay", problems)
    guard let said = json["rate"], let text = said.string ?? said.number?.text else { return }
    rate = text
    // A value of another type was reported already.
    guard said.string != nil, PushRate(text) == nil else { return }
    problems.add(
      said, "\(place).rate", "This is not a rate.",
      fix: "Write 500, \"500/s\" or \"30/m\", at most 1000000/s.")
  }

  private func time(_ json: JSON?, _ place: String, _ problems: ProblemList) -> Int? {
    guard let json, let time = json.string.flatMap({ TimeSpan.milliseconds($0) }) else {
      return nil
    }
    if time == 0 {
      problems.add(json, place, "The time must not be zero.", fix: "Write at least \"1ms\".")
    }
    return time
  }

  private static func bundleID(
    _ json: JSON, _ place: String, _ problems: ProblemList
  ) -> BundleID? {
    guard let text = json.string else { return nil }
    let bundleID = try? BundleID(text)
    if bundleID == nil {
      problems.add(
        json, place, "This is not a bundle ID.", fix: "Write one such as com.example.app.")
    }
    return bundleID
  }
}
