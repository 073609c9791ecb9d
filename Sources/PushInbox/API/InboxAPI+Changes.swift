internal import APNS
internal import JSONText
internal import PushEmulator
internal import Synchronization
internal import WebServer

// Calls that change something.
extension InboxAPI {
  func clear(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let count = received.counts.kept
    received.clear()
    return HTTPResponse(.json(.object([("cleared", .number(count))])))
  }

  func script(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    return HTTPResponse(.bytes(playing.withLock(\.self)))
  }

  func setScript(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let text = call.request.body
    let (script, json) = try understand { () throws(BrokenRules) in
      let script = try FaultScript(text, file: "script")
      return (script, try ProblemList(file: "script", kind: "script").json(text))
    }
    let written = json.encoded(.wire) + [0x0A]
    playing.withLock { playing in
      emulator.play(script)
      playing = written
    }
    return HTTPResponse(.bytes(written))
  }

  func setClock(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let (offset, text) = try read(call, "clock") { object in
      let text = object.text("offset", isRequired: true)
      let offset = text.flatMap(ClockOffset.init)
      if let text, offset == nil {
        object.report(
          "offset", JSON(.string(text)),
          "'offset' must be a duration with a sign, of at most 10 years.",
          fix: "Write \"+2h\" or \"-90m\", for example, or \"0s\" for the system's time.")
      }
      return offset.map { ($0, text ?? "") }
    }
    emulator.show(offset)
    return HTTPResponse(.json(.object([("offset", JSON(.string(text)))])))
  }

  func goAway(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let text = call.request.body.isEmpty ? Array("{}".utf8) : call.request.body
    let end = try understand { () throws(BrokenRules) in try ConnectionEnd(text, file: "goaway") }
    return connections(emulator.sendGoAway(end))
  }

  func close(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let drop = try read(call, "close") { object in
      guard let value = object.take("drop") else { return Drop.closeNotify }
      return object.choice(value, "drop", among: Drop.allCases.map { ($0.rawValue, $0) })
    }
    return connections(emulator.closeConnections(drop))
  }

  private func connections(_ count: Int) -> HTTPResponse {
    HTTPResponse(.json(.object([("connections", .number(count))])))
  }
}

extension InboxAPI {
  /// Reads a body that is a JSON5 object; an empty body counts as an empty object.
  ///
  /// - Parameter body: reads the members; returns nil after reporting a problem.
  func read<Value>(
    _ call: Route.Call, _ kind: String, _ body: (FileObject) -> Value?
  ) throws(HTTPRefusal) -> Value {
    let text = call.request.body.isEmpty ? Array("{}".utf8) : call.request.body
    return try understand { () throws(BrokenRules) in
      let problems = ProblemList(file: kind, kind: kind)
      let object = try problems.read(text)
      let value = body(object)
      object.refuseOtherKeys()
      guard let value = try problems.passing(value) else { throw BrokenRules(problems.list) }
      return value
    }
  }

  private func understand<Value>(
    _ body: () throws(BrokenRules) -> Value
  ) throws(HTTPRefusal) -> Value {
    do throws(BrokenRules) {
      return try body()
    } catch {
      throw HTTPRefusal(error.problems)
    }
  }
}

extension HTTPRefusal {
  /// A refusal of a body with these problems.
  fileprivate init(_ problems: [Problem]) {
    self.init(
      Self.badRequest, problems.first?.message.cut ?? "The body cannot be read.",
      fix: problems.first?.fix.cut ?? "Correct it.")
    self.problems = JSON(.array(problems.map(\.json)))
  }
}

extension Problem {
  fileprivate var json: JSON {
    let position: [(String, JSON)] =
      [("line", line), ("column", column)].compactMap { name, value in
        value.map { (name, .number($0)) }
      }
    return .object(
      position + [
        ("path", JSON(.string(place.description.cut))), ("message", JSON(.string(message.cut))),
        ("fix", JSON(.string(fix.cut))),
      ])
  }
}

extension String {
  /// The text, or its beginning if it repeats a key of any length.
  fileprivate var cut: String {
    let start = prefix(500)
    return start.endIndex == endIndex ? self : start + "…"
  }
}
