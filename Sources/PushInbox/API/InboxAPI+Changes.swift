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
