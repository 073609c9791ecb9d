internal import APNS
internal import JSONText
internal import Settings
internal import WebServer

// Calls that run the program.
extension StudioAPI {
  func call(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let body = try read(call, "call", as: Self.call) { $0 }
    let (words, input) = (body["words"].elements.compactMap(\.text), body["input"].text)
    let allowed = try AllowedWords(words, in: projectFiles.folder)
    if let input { try allowed.check(input: input) }
    let place = try places.take()
    let begun = calls.begin(try allowed.forCall(), input: input.map { Array($0.utf8) })
    return HTTPResponse(.stream(CallStream(begun, place)))
  }

  func run(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let body = try read(call, "run", as: Self.run) { $0 }
    let words = body["words"].elements.compactMap(\.text)
    guard let plan = PlanID(text: body["plan"].text ?? "") else {
      throw Parameters.bad("The plan is not an ID.", fix: "Call the command with --plan first.")
    }
    let allowed = try AllowedWords(words, in: projectFiles.folder)
    let run = try studioRuns.begin(
      words, of: body["pushes"].int ?? 0, adding: allowed.forRun(plan: plan))
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

  func cancel(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    let run = try run(of: call)
    run.interrupt()
    return HTTPResponse(.bytes(run.json(after: nil).bytes + [0x0A]))
  }

  func events(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    let run = try run(of: call)
    return HTTPResponse(
      contentType: "text/event-stream", .stream(StudioEvents(run, try places.take())))
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

  private static let call = FileShape.object(
    words, FileKey("input", .text, help: "The standard input."))

  private static let run = FileShape.object(
    words,
    FileKey("plan", .text, isRequired: true, help: "The ID of the plan that a person has seen."),
    FileKey("pushes", .integer(0...Int.max), help: "The pushes that it has."))

  private static let words = FileKey(
    "words", .array(.text), isRequired: true, help: "The command and its arguments.")
}
