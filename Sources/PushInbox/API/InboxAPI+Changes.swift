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
    let text = try read(call, "clock", as: Self.clock) { $0["offset"].text ?? "" }
    emulator.show(ClockOffset(text) ?? ClockOffset(seconds: 0))
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
    let drop = try read(call, "close", as: Self.close) { $0["drop"].text ?? "" }
    return connections(emulator.closeConnections(Drop(rawValue: drop) ?? .closeNotify))
  }

  private static let clock = FileShape.object(
    FileKey(
      "offset",
      .form(
        TextForm(
          "a duration with a sign",
          "'offset' must be a duration with a sign, of at most 10 years.",
          fix: "Write \"+2h\" or \"-90m\", for example, or \"0s\" for the system's time."
        ) { ClockOffset($0) != nil }), isRequired: true, help: "How far the clock is ahead."))

  private static let close = FileShape.object(
    FileKey("drop", .word(Drop.allCases.map(\.rawValue)), help: "How connections end."))

  private func connections(_ count: Int) -> HTTPResponse {
    HTTPResponse(.json(.object([("connections", .number(count))])))
  }
}
