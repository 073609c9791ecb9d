internal import APNS
internal import HTTP2
internal import JSONText

extension FaultScript {
  /// Reads a whole script.
  init(reading object: FileObject) {
    seed = object.integer("seed", in: 0...Int.max).map { UInt64($0) } ?? 0
    rules = object.objects("rules").compactMap(FaultRule.init(reading:))
    settings = object.objects("settings").compactMap(SettingsChange.init(reading:))
    errorBudget = object.object("errorBudget").map(ErrorBudget.init(reading:))
    tokenRateLimit = object.object("tokenRate").flatMap(TokenRateLimit.init(reading:))
    if let connections = object.object("connections") { readConnections(connections) }
    object.refuseOtherKeys()
  }

  private mutating func readConnections(_ object: FileObject) {
    connectionLimit = object.integer("limit", in: 0...65_535)
    serverOptions.acknowledgesPings = object.truth("acknowledgesPings") ?? true
    serverOptions.refillsWindows = object.truth("refillsWindows") ?? true
    serverOptions.padding = object.integer("padding", in: 0...255) ?? 0
    let distance = Distance(reading: object)
    if distance != Distance() { self.distance = distance }
    object.refuseOtherKeys()
  }
}

extension Distance {
  /// Reads `{roundTrip: "80ms", bandwidth: "1Mbit/s", stalls: {every: "10s", length: "3s"}}`. The
  /// object may have other keys.
  init(reading object: FileObject) {
    self.init(
      roundTripMilliseconds: object.milliseconds("roundTrip") ?? 0,
      bitsPerSecond: Self.bandwidth(object),
      stalls: object.object("stalls").flatMap(Stalls.init(reading:)))
  }

  private static func bandwidth(_ object: FileObject) -> Int? {
    guard let value = object.take("bandwidth") else { return nil }
    if let bits = value.string.flatMap({ bitsPerSecond($0) }) { return bits }
    object.report(
      "bandwidth", value, "'bandwidth' is not a bandwidth.",
      fix: "Write a whole number with a unit, such as \"64kbit/s\" or \"1Mbit/s\".")
    return nil
  }
}

extension Distance.Stalls {
  /// `{every: "10s", length: "3s"}`
  init?(reading object: FileObject) {
    let every = object.positiveMilliseconds("every")
    let length = object.positiveMilliseconds("length")
    object.refuseOtherKeys()
    guard let every, let length else { return nil }
    guard length < every else {
      object.report(
        "These stalls leave no time in between.",
        fix: "Make 'length' less than 'every', as in {every: \"10s\", length: \"3s\"}.")
      return nil
    }
    self.init(everyMilliseconds: every, milliseconds: length)
  }
}

extension TokenRateLimit {
  /// `{count: 5, per: "1m"}`
  init?(reading object: FileObject) {
    let count = object.integer("count", in: 0...Int.max, isRequired: true)
    let milliseconds = object.milliseconds("per", isRequired: true)
    object.refuseOtherKeys()
    guard let count, let milliseconds else { return nil }
    self.init(count: count, milliseconds: milliseconds)
  }
}

extension ErrorBudget {
  /// `{slowsAt: 20, slowLimit: 1, endsAt: 60, goAway: {…}, costs: {BadDeviceToken: 5}}`
  init(reading object: FileObject) {
    self.init(
      slowsAt: object.integer("slowsAt", in: 1...Int.max),
      slowLimit: object.integer("slowLimit", in: 0...Int(UInt32.max)) ?? 1,
      endsAt: object.integer("endsAt", in: 1...Int.max))
    if let end = object.object("goAway").map(ConnectionEnd.init(reading:)) { self.end = end }
    if let costs = object.object("costs") { self.costs = Self.costs(costs) }
    object.refuseOtherKeys()
  }

  private static func costs(_ object: FileObject) -> [Reason: Int] {
    var costs: [Reason: Int] = [:]
    for member in object.takeAll() {
      let cost = object.integer(member.value, member.key, in: 0...1_000_000)
      guard let reason = Reason(rawValue: member.key), let cost else { continue }
      costs[reason] = cost
    }
    return costs
  }
}

extension SettingsChange {
  /// `{at: "start", after: "2s", maxConcurrentStreams: 1}`
  init?(reading object: FileObject) {
    let event = object.value("at", isRequired: true).flatMap { Self.event($0, object) }
    let delay = object.milliseconds("after") ?? 0
    let announcement = Announcement(reading: object)
    guard let event else { return nil }
    self.init(at: event, after: delay, announcement)
  }

  /// Reads a word, `{requests: 100}` or `{errors: 10}`.
  private static func event(_ value: JSON, _ object: FileObject) -> Event? {
    guard value.object != nil else {
      return object.choice(
        value, "at", among: [("start", Event.start), ("firstToken", .firstToken)],
        else: "an object with 'requests' or 'errors'")
    }
    let counted = object.object(value, "at")
    let requests = counted.integer("requests", in: 1...Int.max).map(Event.requests)
    let errors = counted.integer("errors", in: 1...Int.max).map(Event.errors)
    counted.refuseOtherKeys()
    if (requests == nil) == (errors == nil) {
      counted.report("This does not name a single event.", fix: "Write one of: requests, errors.")
    }
    return requests ?? errors
  }
}

extension Announcement {
  /// Reads `{maxConcurrentStreams: 1, initialWindowSize: 0, windowIncrement: 65535}`. The caller
  /// must have taken all other keys.
  init(reading object: FileObject) {
    let largest = Int(Int32.max)
    self.init(
      maxConcurrentStreams: object.integer("maxConcurrentStreams", in: 0...Int(UInt32.max)),
      initialWindowSize: object.integer("initialWindowSize", in: 0...largest),
      windowIncrement: object.integer("windowIncrement", in: 1...largest).map { Int32($0) })
    object.refuseOtherKeys()
  }
}
