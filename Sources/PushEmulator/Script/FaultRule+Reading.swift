internal import APNS
internal import JSONText

extension FaultRule {
  /// `{when: {…}, ACTION, times: 3}`
  init?(reading object: FileObject) {
    let condition = object.object("when").map(PushCondition.init(reading:)) ?? PushCondition()
    let times = object.integer("times", in: 1...Int.max)
    let action = RuleAction(reading: object)
    object.refuseOtherKeys()
    guard let answer = action.answer else { return nil }
    self.init(condition, answer, times: times)
  }
}

extension PushCondition {
  /// `{tokenPrefix: "dead", every: 100}`
  init(reading object: FileObject) {
    token = object.text("token")?.lowercased()
    tokenPrefix = object.text("tokenPrefix")?.lowercased()
    request = object.take("request").flatMap {
      object.choice($0, "request", among: RequestKind.allCases.map { ($0.rawValue, $0) })
    }
    channel = object.text("channel")
    nth = object.integer("nth", in: 1...Int.max)
    every = object.integer("every", in: 1...Int.max)
    from = object.integer("from", in: 1...Int.max)
    to = object.integer("to", in: (from ?? 1)...Int.max)
    probability = Self.probability(object)
    attempt = object.integer("attempt", in: 1...Int.max)
    connection = object.integer("connection", in: 1...Int.max)
    stream = object.integer("stream", in: 1...Int(Int32.max))
    topic = object.text("topic")
    pushType = object.text("pushType")
    priority = object.integer("priority", in: 1...10).map { String($0) }
    object.refuseOtherKeys()
  }

  private static func probability(_ object: FileObject) -> Double? {
    guard let value = object.take("probability") else { return nil }
    if let number = value.number?.double, 0...1 ~= number { return number }
    object.report(
      "probability", value, "'probability' is not a number from 0 to 1.", fix: "Correct the number."
    )
    return nil
  }
}

/// The action of a rule, combined from its keys.
private struct RuleAction {
  /// The answer; nil if the keys are invalid, which has then been reported.
  private(set) var answer: EmulatorAnswer?

  private static let keys = [
    "answer", "reset", "goAway", "drop", "swallow", "delay", "freeze", "announce",
  ]

  init(reading object: FileObject) {
    let isIdle = !Self.keys.contains(where: object.has)
    let last = Self.last(object)
    let end = object.object("goAway").map(ConnectionEnd.init(reading:))
    let freezing = object.take("freeze").flatMap { object.freeze($0, "freeze") }
    let announcement = object.object("announce").map(Announcement.init(reading:))
    let isProcessed = object.truth("processed") ?? false
    let delay = object.milliseconds("delay")
    if isIdle {
      let keys = Self.keys.joined(separator: ", ")
      object.report("This rule does nothing.", fix: "Add one of: \(keys).")
      return
    }
    var answer = last ?? .accept
    if let end { answer = .goAway(end, then: answer) }
    if let freezing { answer = .freeze(milliseconds: freezing.milliseconds, then: answer) }
    if let announcement { answer = .announce(announcement, then: answer) }
    if isProcessed { answer = .processed(then: answer) }
    if let delay { answer = .delay(milliseconds: delay, then: answer) }
    self.answer = answer
  }

  /// The final action on the client. Only one is allowed.
  private static func last(_ object: FileObject) -> EmulatorAnswer? {
    let reset = object.take("reset")
    let drop = object.take("drop")
    let swallow = object.take("swallow")
    let answer = object.take("answer")
    let given = [("reset", reset), ("drop", drop), ("swallow", swallow), ("answer", answer)]
      .filter { $0.1 != nil }
    if given.count > 1, let (key, value) = given.last, let value {
      object.report(
        key, value,
        "\(given.map { "'\($0.0)'" }.joined(separator: " and ")) cannot be used together.",
        fix: "Make them separate rules.")
    }
    if let reset { return object.errorCode(reset, "reset").map { .reset(code: $0) } }
    if let drop { return object.drop(drop, "drop").map { .drop($0) } }
    if swallow?.bool == true { return .swallow }
    if let swallow {
      object.report("swallow", swallow, "'swallow' can only be true.", fix: "Write true.")
    }
    return answer.map { EmulatorAnswer(reading: $0, in: object) }
  }
}

extension ConnectionEnd {
  /// `{lastStream: "half", code: "NO_ERROR", reason: "Shutdown", notice: "100ms", staysOpen: true}`
  init(reading object: FileObject) {
    if object.has("reason"), object.has("debugData") {
      object.report("'reason' is debug data too.", fix: "Keep one of: reason, debugData.")
    }
    self.init(
      lastStream: object.take("lastStream").flatMap { Self.lastStream($0, object) } ?? .current,
      errorCode: object.errorCode("code") ?? 0, reason: object.reason("reason"),
      debugData: object.text("debugData").map { Array($0.utf8) },
      noticeMilliseconds: object.milliseconds("notice"),
      staysOpen: object.truth("staysOpen") ?? false)
    object.refuseOtherKeys()
  }

  private static func lastStream(_ value: JSON, _ object: FileObject) -> LastStream? {
    if value.number != nil {
      return object.integer(value, "lastStream", in: 0...Int(Int32.max))
        .map { .exactly(Int32($0)) }
    }
    return object.choice(
      value, "lastStream", among: [("current", .current), ("half", .half)], else: "a number")
  }
}
