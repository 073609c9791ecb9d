public import APNS

extension FaultRule {
  /// `{when: {…}, ACTION, times: 3}`
  init?(reading rule: FileValue) {
    let keys = ScriptShape.actions.map(\.name)
    guard keys.contains(where: { rule[$0].json != nil }) else {
      rule.report(
        "This rule does nothing.", fix: "Add one of: \(keys.joined(separator: ", ")).")
      return nil
    }
    self.init(
      PushCondition(reading: rule["when"]), EmulatorAnswer(ofRule: rule), times: rule["times"].int)
  }
}

extension PushCondition {
  /// `{tokenPrefix: "dead", every: 100}`
  fileprivate init(reading condition: FileValue) {
    token = condition["token"].text?.lowercased()
    tokenPrefix = condition["tokenPrefix"].text?.lowercased()
    request = condition["request"].text.flatMap { RequestKind(rawValue: $0) }
    channel = condition["channel"].text
    nth = condition["nth"].int
    every = condition["every"].int
    from = condition["from"].int
    to = condition["to"].int
    probability = condition["probability"].number
    attempt = condition["attempt"].int
    connection = condition["connection"].int
    stream = condition["stream"].int
    topic = condition["topic"].text
    pushType = condition["pushType"].text
    priority = condition["priority"].int.map { String($0) }
    if let from, let to, to < from {
      condition["to"].report(
        "'to' is not a whole number of at least \(from).", fix: "Correct the number.")
    }
  }
}

extension EmulatorAnswer {
  /// The action of a rule, combined from its keys.
  fileprivate init(ofRule rule: FileValue) {
    self = Self.last(rule)
    if let end = rule["goAway"].object {
      self = .goAway(ConnectionEnd(reading: end), then: self)
    }
    if let freeze = Freeze(reading: rule["freeze"]) {
      self = .freeze(milliseconds: freeze.milliseconds, then: self)
    }
    if let limits = rule["announce"].object {
      self = .announce(Announcement(reading: limits), then: self)
    }
    if rule["processed"].truth ?? false { self = .processed(then: self) }
    if let delay = rule["delay"].milliseconds { self = .delay(milliseconds: delay, then: self) }
  }

  /// The final action on the client. Only one is allowed.
  private static func last(_ rule: FileValue) -> EmulatorAnswer {
    if let code = rule["reset"].errorCode { return .reset(code: code) }
    if let drop = rule["drop"].drop { return .drop(drop) }
    if rule["swallow"].truth ?? false { return .swallow }
    return rule["answer"].object.map { EmulatorAnswer(reading: $0) } ?? .accept
  }
}

extension ConnectionEnd {
  /// `{lastStream: "half", code: "NO_ERROR", reason: "Shutdown", notice: "100ms", staysOpen: true}`
  init(reading end: FileValue) {
    let last = end["lastStream"]
    self.init(
      lastStream: last.int.map { .exactly(Int32($0)) } ?? (last.text == "half" ? .half : .current),
      errorCode: end["code"].errorCode ?? 0, reason: end["reason"].reason,
      debugData: end["debugData"].text.map { Array($0.utf8) },
      noticeMilliseconds: end["notice"].milliseconds, staysOpen: end["staysOpen"].truth ?? false)
  }
}

extension ConnectionEnd {
  /// Reads the value of `goAway` in scripts.
  ///
  /// - Parameter file: the text's name in problems.
  /// - Throws: `BrokenRules` with all problems found.
  public init(_ text: [UInt8], file: String) throws(BrokenRules) {
    self = try ProblemList(file: file, kind: "script").read(
      text, as: ScriptShape.goAway, ConnectionEnd.init(reading:))
  }
}

extension Freeze {
  /// A duration, or `true` for permanent.
  init?(reading value: FileValue) {
    if value.json == nil { return nil }
    self.init(milliseconds: value.milliseconds)
  }
}

extension FileValue {
  /// An HTTP/2 error code, by name or number.
  var errorCode: UInt32? {
    int.map { UInt32($0) }
      ?? text.flatMap { ScriptShape.errorCodes.firstIndex(of: $0) }.map { UInt32($0) }
  }

  /// A way to end a connection.
  var drop: Drop? { text.flatMap { Drop(rawValue: $0) } }

  var reason: Reason? { text.flatMap { Reason(rawValue: $0) } }
}
