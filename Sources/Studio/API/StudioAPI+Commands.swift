internal import APNS
internal import JSONText
internal import WebServer

// Calls that run the program.
extension StudioAPI {
  func call(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let (words, input) = try read(call, "call") { object in
      self.words(object).map { ($0, object.text("input")) }
    }
    let allowed = try AllowedWords(words, in: projectFiles.folder)
    if let input { try allowed.check(input: input) }
    let place = try places.take()
    let begun = calls.begin(try allowed.forCall(), input: input.map { Array($0.utf8) })
    return HTTPResponse(.stream(CallStream(begun, place)))
  }

  func run(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let (words, isConfirmed) = try read(call, "run") { object in
      self.words(object).map { ($0, object.truth("isConfirmed") ?? false) }
    }
    let allowed = try AllowedWords(words, in: projectFiles.folder)
    let run = try studioRuns.begin(words, adding: allowed.forRun(isConfirmed: isConfirmed))
    return HTTPResponse(status: 202, .json(.object([("id", .number(run.id))])))
  }

  func runs(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let runs = studioRuns.all.map { $0.json(after: nil).bytes }
    return HTTPResponse(
      .bytes(
        Array(#"{"runs":["#.utf8) + runs.joined(separator: [UInt8(ascii: ",")])
          + Array("]}\n".utf8)))
  }

  func state(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    HTTPResponse(.bytes(try run(of: call).json(after: 0).bytes + [0x0A]))
  }

  func cancel(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    let run = try run(of: call)
    run.interrupt()
    return HTTPResponse(.bytes(run.json(after: nil).bytes + [0x0A]))
  }

  func events(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    let run = try run(of: call)
    return HTTPResponse(
      contentType: "text/event-stream", .stream(RunStream(run, try places.take())))
  }

  private func run(of call: Route.Call) throws(HTTPRefusal) -> StudioRun {
    try Parameters(call.request).refuseOthers()
    guard let run = call.id.flatMap({ Int(plain: $0) }).flatMap({ studioRuns[$0] }) else {
      throw HTTPRefusal(
        HTTPRefusal.notFound, "There is no run with this ID.",
        fix: "The studio keeps the last \(StudioRuns.kept); the history has all.")
    }
    return run
  }

  private func words(_ object: FileObject) -> [String]? {
    guard let value = object.value("words", isRequired: true) else { return nil }
    let words = value.array?.compactMap(\.string)
    if let words, words.count == value.array?.count { return words }
    object.report(
      "words", value, "'words' is not an array of texts.", fix: "Write [\"check\", \"--json\"].")
    return nil
  }
}
