internal import APNS
internal import HTTP2

extension FaultScript {
  /// Reads a whole script.
  init(reading script: FileValue) {
    let connections = script["connections"]
    seed = UInt64(script["seed"].int ?? 0)
    rules = script["rules"].elements.compactMap(FaultRule.init(reading:))
    settings = script["settings"].elements.compactMap(SettingsChange.init(reading:))
    errorBudget = script["errorBudget"].object.map(ErrorBudget.init(reading:))
    tokenRateLimit = TokenRateLimit(reading: script["tokenRate"])
    connectionLimit = connections["limit"].int
    serverOptions.acknowledgesPings = connections["acknowledgesPings"].truth ?? true
    serverOptions.refillsWindows = connections["refillsWindows"].truth ?? true
    serverOptions.padding = connections["padding"].int ?? 0
    let distance = Distance(reading: connections)
    if distance != Distance() { self.distance = distance }
  }
}

extension Distance {
  /// `{roundTrip: "80ms", bandwidth: "1Mbit/s", stalls: {every: "10s", length: "3s"}}`
  fileprivate init(reading connections: FileValue) {
    self.init(
      roundTripMilliseconds: connections["roundTrip"].milliseconds ?? 0,
      bitsPerSecond: connections["bandwidth"].text.flatMap { Self.bitsPerSecond($0) },
      stalls: connections["stalls"].object.flatMap(Stalls.init(reading:)))
  }
}

extension Distance.Stalls {
  /// `{every: "10s", length: "3s"}`
  fileprivate init?(reading stalls: FileValue) {
    let zero = ["every", "length"].filter { stalls[$0].milliseconds == 0 }
    for key in zero {
      stalls[key].report("'\(key)' must not be zero.", fix: "Write at least \"1ms\".")
    }
    guard zero.isEmpty, let every = stalls["every"].milliseconds,
      let length = stalls["length"].milliseconds
    else { return nil }
    if length >= every {
      stalls.report(
        "These stalls leave no time in between.",
        fix: "Make 'length' less than 'every', as in {every: \"10s\", length: \"3s\"}.")
    }
    self.init(everyMilliseconds: every, milliseconds: length)
  }
}

extension TokenRateLimit {
  /// `{count: 5, per: "1m"}`
  fileprivate init?(reading limit: FileValue) {
    guard let count = limit["count"].int, let milliseconds = limit["per"].milliseconds else {
      return nil
    }
    self.init(count: count, milliseconds: milliseconds)
  }
}

extension ErrorBudget {
  /// `{slowsAt: 20, slowLimit: 1, endsAt: 60, goAway: {…}, costs: {BadDeviceToken: 5}}`
  fileprivate init(reading budget: FileValue) {
    self.init(
      slowsAt: budget["slowsAt"].int, slowLimit: budget["slowLimit"].int ?? 1,
      endsAt: budget["endsAt"].int)
    if let end = budget["goAway"].object { self.end = ConnectionEnd(reading: end) }
    if budget["costs"].object == nil { return }
    costs = [:]
    for (key, cost) in budget["costs"].members {
      if let reason = Reason(rawValue: key) { costs[reason] = cost.int }
    }
  }
}

extension SettingsChange {
  /// `{at: "start", after: "2s", maxConcurrentStreams: 1}`
  fileprivate init?(reading change: FileValue) {
    guard let event = Event(reading: change["at"]) else { return nil }
    self.init(
      at: event, after: change["after"].milliseconds ?? 0, Announcement(reading: change))
  }
}

extension SettingsChange.Event {
  /// A word, `{requests: 100}` or `{errors: 10}`.
  fileprivate init?(reading event: FileValue) {
    if let requests = event["requests"].int {
      self = .requests(requests)
    } else if let errors = event["errors"].int {
      self = .errors(errors)
    } else {
      guard let word = event.text else { return nil }
      self = word == "start" ? .start : .firstToken
    }
  }
}

extension Announcement {
  /// `{maxConcurrentStreams: 1, initialWindowSize: 0, windowIncrement: 65535}`
  init(reading limits: FileValue) {
    self.init(
      maxConcurrentStreams: limits["maxConcurrentStreams"].int,
      initialWindowSize: limits["initialWindowSize"].int,
      windowIncrement: limits["windowIncrement"].int.map { Int32($0) })
  }
}
