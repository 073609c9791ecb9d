internal import APNS
internal import JSONText
internal import Reporting
internal import WebServer

// Calls for files.
extension StudioAPI {
  private static let version = FileKey(
    "version", .text, isRequired: true, help: "The version that is known.")
  private static let writtenFile = FileShape.object(
    FileKey("version", .anything, isRequired: true, help: "The same; null for a new file."),
    FileKey("text", .text, isRequired: true, help: "The text."))
  private static let move = FileShape.object(
    FileKey("from", .text, isRequired: true, help: "The path."),
    FileKey("to", .text, isRequired: true, help: "The new path."), version)

  func files(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let (files, leftOut) = projectFiles.list()
    return HTTPResponse(
      .json(.object([("files", JSON(.array(files.map(\.json)))), ("leftOut", .number(leftOut))])))
  }

  func file(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    let path = try path(call)
    let (kind, content) = (try projectFiles.file(path).kind, try projectFiles.text(path))
    return answer([
      ("path", path), ("kind", kind.rawValue), ("text", content.text),
      ("version", content.version),
    ])
  }

  func write(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    let path = try path(call)
    let file = try read(call, "file", as: Self.writtenFile) { $0 }
    let outcome = try projectFiles.write(
      path, file["text"].text ?? "", knowing: file["version"].text)
    return answer(outcome) { [("version", $0)] }
  }

  func delete(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    let path = try path(call)
    let version = try read(call, "file", as: .object(Self.version)) { $0["version"].text ?? "" }
    return answer(try projectFiles.delete(path, knowing: version)) { [("bin", $0)] }
  }

  func move(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let move = try read(call, "move", as: Self.move) { $0 }
    let other = move["to"].text ?? ""
    let outcome = try projectFiles.move(
      move["from"].text ?? "", to: other, knowing: move["version"].text ?? "")
    return answer(outcome) { [("path", other), ("version", $0)] }
  }

  func deleted(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let entries = projectFiles.bin.entries.map { entry -> JSON in
      .object([
        ("id", JSON(.string(entry.id))), ("path", JSON(.string(entry.path))),
        ("removedAt", JSON(.string(entry.removedAt))),
      ])
    }
    return HTTPResponse(.json(.object([("files", JSON(.array(entries)))])))
  }

  func restore(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    return answer([("path", try projectFiles.restore(call.id ?? ""))])
  }

  /// The path in a request's, in which slashes are escaped.
  private func path(_ call: Route.Call) throws(HTTPRefusal) -> String {
    try Parameters(call.request).refuseOthers()
    guard let path = call.id.flatMap({ Substring($0).unescaped() }) else {
      throw Parameters.bad("The path has an escape that is not UTF-8.", fix: "Escape it as %XX.")
    }
    return path
  }

  private func answer(
    _ outcome: ProjectFiles.Outcome, _ members: (String) -> [(String, String)]
  ) -> HTTPResponse {
    switch outcome {
    case .done(let text): return answer(members(text))
    case .changed(let text, let version):
      let there = [("version", version), ("text", text)].map { name, value in
        (name, value.map { JSON(.string($0)) } ?? JSON(.null))
      }
      let refusal: [(String, JSON)] = [
        ("message", "The file has changed on disk."), ("fix", "Compare the two, and write again."),
      ]
      return HTTPResponse(status: HTTPRefusal.conflict, .json(.object(refusal + there)))
    }
  }

  private func answer(_ members: [(String, String)]) -> HTTPResponse {
    HTTPResponse(.json(.object(members.map { ($0, JSON(.string($1))) })))
  }
}
