internal import APNS
internal import HTTP2
internal import JSONText

/// The headers of a push to a device with the verdict of the rules. The verdict applies to all
/// requests that differ only in the values of `:path`, `apns-id` and `content-length`.
struct HeaderVerdict {
  /// The index of `:path`; nil if there is none, as in a CONNECT, or it was too long to be stored.
  let pathIndex: Int?
  /// The index of the first `apns-id`; nil if there is none.
  let idIndex: Int?
  /// The index of the first `authorization`; nil if there is none.
  let authorizationIndex: Int?
  /// The headers in the journal's form.
  let shape: RequestShape
  /// The first fault of the headers, apart from path and ID; nil if there is none.
  let fault: RequestFault?

  private static let memory = 4
  private let authentication: Authentication
  private let headers: HeaderBlock
  private let varying: [Int]
  private var fields: [DraftField] { shape.draft.fields }
  private var payloads: [JudgedPayload] = []

  /// Checks a request's headers against the rules.
  init(_ request: ServerRequest, _ sender: RequestSender, _ environment: EmulatorEnvironment) {
    authentication = sender.authentication
    let topics = sender.topics
    headers = request.headers
    pathIndex = headers.firstIndex(of: ":path")
    idIndex = headers.firstIndex(of: "apns-id")
    authorizationIndex = headers.firstIndex(of: "authorization")
    varying = [pathIndex, idIndex, headers.firstIndex(of: "content-length")].compactMap(\.self)
    var draft = Draft(received: headers.fields, body: [])
    let fields = draft.fields
    if let topics { draft.fillTopic(from: topics) }
    shape = RequestShape(
      method: headers[":method"], fields: fields, draft: draft, authentication: authentication,
      environment: environment)
    fault = Self.fault(of: headers)
      .first(EnforcedRules.headers.fault(of: draft, authentication))
      .first(topics.flatMap(draft.fault(outside:)))
      .first(draft.pushType == "" ? Self.emptyPushType : nil)
  }

  private static var emptyPushType: RequestFault {
    RequestFault(
      .topicAndType, APNSRefusal(reason: .invalidPushType, note: "the push type is empty"))
  }

  /// Returns true if the verdict applies to a request.
  func covers(_ request: ServerRequest) -> Bool {
    headers.overflowed == request.headers.overflowed
      && headers.matches(request.headers, exceptValuesAt: varying)
  }

  /// A request's payload and the verdict on it. Equal payloads share memory.
  mutating func payload(of request: ServerRequest) -> JudgedPayload {
    if request.bodyCount > request.body.count {
      return (request.body, Self.fault(ofLong: request, Draft(fields: fields)), nil)
    }
    if let known = payloads.first(where: { $0.bytes.isSame(as: request.body) }) { return known }
    let (payload, note) = DraftPayload.received(request.body)
    let draft = Draft(fields: fields, payload: payload)
    let fault = EnforcedRules.payload.fault(of: draft, authentication)
      .first(Self.fault(of: payload))
    if payloads.count == Self.memory { payloads.removeFirst() }
    payloads.append((request.body, fault, note))
    return (request.body, fault, note)
  }
}

/// A payload with its first fault, nil if there is none, and what there is to say about it.
typealias JudgedPayload = (bytes: [UInt8], fault: RequestFault?, note: String?)

extension DraftPayload {
  /// The payload of a request, nil if it is empty, and the note on a key that it has twice.
  static func received(_ bytes: [UInt8]) -> (payload: DraftPayload?, note: String?) {
    if bytes.isEmpty { return (nil, nil) }
    let payload = DraftPayload(reading: bytes)
    guard let (read, repeated) = payload.withLastValues else { return (payload, nil) }
    return (read, "\(repeated.message.dropLast()): the last one counts here, elsewhere perhaps not")
  }
}

extension HeaderVerdict {
  /// The fault of an overlong payload, only the start of which is available.
  static func fault(ofLong request: ServerRequest, _ draft: Draft) -> RequestFault {
    let limit = draft.payloadLimit
    let length = request.isWhole ? "\(request.bodyCount)" : "more than \(request.bodyCount)"
    let note = "The payload is \(length) bytes long; the limit is \(limit)."
    let fix = RuleTable.rule("payload-size")?.fix
    return RequestFault(.payload, APNSRefusal(reason: .payloadTooLarge, note: note, fix: fix))
  }

  /// The fault that prevents further checks of a request with these headers.
  ///
  /// - Parameter methods: the methods its path accepts.
  static func fault(of headers: HeaderBlock, taking methods: [String] = ["POST"]) -> RequestFault? {
    if headers.overflowed {
      return RequestFault(.path, APNSRefusal(reason: .emulatorHeadersTooLong))
    }
    if !methods.contains(headers[":method"] ?? "") {
      return RequestFault(.method, APNSRefusal(reason: .methodNotAllowed))
    }
    // A draft never contains a provider token, so the rule cannot see this header.
    if headers.fields.count(where: { $0.name == "authorization" }) > 1 {
      return RequestFault(.duplicates, APNSRefusal(reason: .duplicateHeaders))
    }
    return nil
  }

  /// The fault of a payload that is not a JSON object.
  static func fault(of payload: DraftPayload?) -> RequestFault? {
    switch payload?.reading {
    case nil: return nil
    case .success(let json) where json.object != nil: return nil
    case .success: return RequestFault(.payload, APNSRefusal(reason: .emulatorPayloadNotObject))
    case .failure(let error): return RequestFault(.payload, APNSRefusal(error))
    }
  }
}

extension APNSRefusal {
  /// The refusal of an unreadable payload.
  fileprivate init(_ error: JSONSyntaxError) {
    let place = "line \(error.position.line), column \(error.position.column)"
    self.init(reason: .emulatorPayloadNotJSON, note: place)
    guard case .tooDeep(let limit) = error.kind else { return }
    note =
      "the payload nests deeper than \(limit) levels, the emulator's own limit: APNs documents none"
      + " (\(place))"
    fix = "Flatten the payload; 'fanfare check' has the same limit."
  }
}
