internal import APNS
internal import JSONText
internal import POSIX
internal import PushEmulator
internal import Synchronization
internal import WebServer

/// The state behind the API, and the calls that only read.
final class InboxAPI: Sendable {
  /// The maximum number of pushes in one list.
  static let greatestLimit = 1000
  private static let usualLimit = 100
  /// In milliseconds.
  private static let longestWait = 600_000
  private static let usualWait = 10_000

  let emulator: Emulator
  let received: ReceivedPushes
  /// The script the emulator is playing, as written, in JSON.
  let playing: Mutex<[UInt8]>
  private let places = Places()
  private let facts: InboxFacts
  private let started: String

  init(_ emulator: Emulator, _ received: ReceivedPushes, _ facts: InboxFacts) {
    (self.emulator, self.received, self.facts) = (emulator, received, facts)
    playing = Mutex(facts.script.encoded(.wire) + [0x0A])
    started = ISO8601.text(milliseconds: Self.now)
  }

  /// The current time, in milliseconds since 1970.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.milliseconds
  }
}

extension InboxAPI {
  func pushes(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    var parameters = try Parameters(call.request)
    let filter = try parameters.filter()
    let after = try parameters.after()
    let limit = try parameters.integer("limit", in: 1...Self.greatestLimit) ?? Self.usualLimit
    try parameters.refuseOthers()
    let total = filter == PushFilter() ? received.counts.kept : nil
    let elements = PushElements(
      received, filter, after: after, limit: limit, isCounting: total == nil)
    return HTTPResponse(
      .stream(PushListStream(elements, opening: "{\"pushes\":", total: total)))
  }

  func push(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    guard let id = call.id.flatMap({ Int(plain: $0) }), let push = received.push(id) else {
      throw HTTPRefusal(
        HTTPRefusal.notFound, "There is no push with this ID.",
        fix: "It may have been cleared, or be older than the last \(received.limit).")
    }
    return HTTPResponse(.bytes(push.json + [0x0A]))
  }

  func wait(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    var parameters = try Parameters(call.request)
    let request = WaitStream.Request(
      filter: try parameters.filter(), after: try parameters.after(),
      count: try parameters.integer("count", in: 1...Self.greatestLimit) ?? 1,
      timeout: try parameters.milliseconds("timeout", atMost: Self.longestWait)
        ?? Self.usualWait)
    try parameters.refuseOthers()
    guard request.count <= received.limit else {
      throw HTTPRefusal(
        HTTPRefusal.badRequest, "The inbox keeps the last \(received.limit) pushes only.",
        fix: "Wait for fewer, or start the emulator with a greater --keep.")
    }
    return HTTPResponse(.stream(WaitStream(received, request, try places.take())))
  }

  func events(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    var parameters = try Parameters(call.request)
    let asked = try parameters.integer("after", in: 0...Parameters.greatestID)
    try parameters.refuseOthers()
    // The last event the browser saw takes precedence over the page's original request.
    let last = call.request.headers["last-event-id"].flatMap { Int($0) }
      .flatMap { 0...Parameters.greatestID ~= $0 ? $0 : nil }
    let stream = EventStream(received, after: last ?? asked, hello: hello, try places.take())
    return HTTPResponse(contentType: "text/event-stream", .stream(stream))
  }

  func health(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let counts = received.counts
    var members: [(String, JSON)] = [
      ("status", "ok"), ("version", JSON(.string(facts.version))),
      ("pid", .number(Int(getpid()))), ("url", JSON(.string(emulator.url))),
      ("environment", environment), ("started", JSON(.string(started))),
      ("pushes", .number(counts.kept)), ("received", .number(counts.received)),
      ("keep", .number(received.limit)), ("requests", .number(emulator.requestCount)),
      ("processed", .number(emulator.processedCount)),
      ("connections", .number(emulator.connectionCount)),
      ("openConnections", .number(emulator.openConnectionCount)),
    ]
    if let url = emulator.manageURL { members.append(("manageURL", JSON(.string(url)))) }
    return HTTPResponse(.json(.object(members)))
  }

  private var hello: JSON {
    .object([
      ("version", JSON(.string(facts.version))), ("environment", environment),
      ("started", JSON(.string(started))), ("cursor", .number(received.position.id)),
      ("keep", .number(received.limit)),
      ("names", .object(facts.deviceNames.map { ($0, JSON(.string($1))) })),
    ])
  }

  private var environment: JSON { JSON(.string(facts.environment.rawValue)) }
}

/// The facts about the program and the emulator that the inbox reports.
struct InboxFacts: Sendable {
  var version: String
  var environment: EmulatorEnvironment
  /// The emulator's initial script; an empty object if there is none.
  var script: JSON
  /// The names of devices, by device token.
  var deviceNames: [String: String]
}

extension InboxAPI {
  /// A list with so many entries takes long.
  private static let longList = 1000

  func isLong(_ request: HTTPRequest) -> Bool {
    let list = request.path.split(separator: "/").last
    return list == "devices" && emulator.devices.count >= Self.longList
      || list == "channels" && emulator.channels.count >= Self.longList
  }

  /// Makes a call once, on the next push or clear.
  func callOnChange(_ call: @escaping @Sendable () -> Void) {
    _ = received.call(after: received.position, call)
  }
}
