internal import APNS
internal import JSONText
internal import Settings
internal import WebServer

/// The state behind the API, and what it tells of the project.
final class StudioAPI: WebAPI {
  static let description = "docs/studio-api.json"

  /// In bytes: the longest file, with its escapes.
  static let bodyLimit = 4 * ProjectFiles.limit

  static let routes: [Route] = [
    Route("GET", "studio") { api, call throws(HTTPRefusal) in try api.project(call) },
    Route("GET", "studio/files") { api, call throws(HTTPRefusal) in try api.files(call) },
    Route("GET", "studio/files/{path}") { api, call throws(HTTPRefusal) in try api.file(call) },
    Route("PUT", "studio/files/{path}") { api, call throws(HTTPRefusal) in try api.write(call) },
    Route("DELETE", "studio/files/{path}") { api, call throws(HTTPRefusal) in try api.delete(call)
    },
    Route("GET", "studio/bin") { api, call throws(HTTPRefusal) in try api.deleted(call) },
    Route("POST", "studio/bin/{id}") { api, call throws(HTTPRefusal) in try api.restore(call) },
    Route("POST", "studio/moves") { api, call throws(HTTPRefusal) in try api.move(call) },
    Route("PUT", "studio/memory") { api, call throws(HTTPRefusal) in try api.remember(call) },
    Route("POST", "studio/calls") { api, call throws(HTTPRefusal) in try api.call(call) },
    Route("GET", "studio/runs") { api, call throws(HTTPRefusal) in try api.runs(call) },
    Route("POST", "studio/runs") { api, call throws(HTTPRefusal) in try api.run(call) },
    Route("DELETE", "studio/runs/{id}") { api, call throws(HTTPRefusal) in try api.cancel(call) },
    Route("GET", "studio/runs/{id}/events") { api, call throws(HTTPRefusal) in
      try api.events(call)
    },
  ]

  let projectFiles: ProjectFiles
  let calls: Calls
  let studioRuns: StudioRuns
  let places = Places()
  private let memory: ProjectMemory
  private let changes: Changes
  private let version: String
  /// Reads the profiles.
  private let profiles: @Sendable () -> Profiles?

  init(
    _ files: ProjectFiles, _ memory: ProjectMemory, _ program: ChildProgram, version: String,
    profiles: @escaping @Sendable () -> Profiles?
  ) {
    (projectFiles, self.memory, self.version, self.profiles) = (files, memory, version, profiles)
    changes = Changes()
    calls = Calls(program, changes)
    studioRuns = StudioRuns(program, changes)
  }

  func isLong(_ request: HTTPRequest) -> Bool { request.path.hasSuffix("/studio/files") }

  func callOnChange(_ call: @escaping @Sendable () -> Void) { changes.call(call) }

  private func project(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let root = projectFiles.folder.root
    let names = (profiles()?.all ?? []).map { JSON(.string($0.name)) }
    return HTTPResponse(
      .json(
        .object([
          ("folder", JSON(.string(root.split(separator: "/").last.map(String.init) ?? "/"))),
          ("path", JSON(.string(root.isEmpty ? "/" : root))),
          ("version", JSON(.string(version))), ("profiles", JSON(.array(names))),
          ("choices", Self.choices), ("memory", memory.values),
        ])))
  }

  private func remember(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let body = try read(call, "value", as: Self.remembered) { $0 }
    try memory.keep(body["name"].text ?? "", body["value"].json ?? JSON(.null))
    return HTTPResponse(.json(.object([])))
  }

  private static let remembered = FileShape.object(
    FileKey("name", .text, isRequired: true, help: "The name."),
    FileKey("value", .anything, isRequired: true, help: "What is kept; null for nothing."))

  /// The words that a field may have, by its path, and those of `--env`.
  private static let choices: JSON = {
    let keys = PayloadKey.table.compactMap { key in
      if case .words(let words) = key.values { (key.path, words) } else { nil }
    }
    let others = [
      ("type", PushType.table.map(\.type.rawValue)),
      ("priority", Priority.allCases.map(\.description)),
      ("environment", EnvironmentSetting.names), ("--env", EnvironmentSetting.single),
    ]
    return .object((others + keys).map { ($0, JSON(.array($1.map { JSON(.string($0)) }))) })
  }()
}
