internal import APNS
internal import HTTP2
internal import JSONText

/// The headers of a push to a device, and what the rules say to them and to all others that differ
/// from them in the values of `:path`, `apns-id` and `content-length` alone.
struct HeaderVerdict {
  /// Where `:path` is; nil when there is none, as in a CONNECT, or it was too long to be kept.
  let pathIndex: Int?
  /// Where the first `apns-id` is; nil when there is none.
  let idIndex: Int?
  /// Where the first `authorization` is; nil when there is none.
  let authorizationIndex: Int?
  /// The headers as the journal keeps them.
  let shape: RequestShape
  /// The first fault of the headers that is not the path's or the id's; nil when there is none.
  let fault: RequestFault?

  private static let memory = 4
  private let authentication: Authentication
  private let headers: HeaderBlock
  private let varying: [Int]
  private var fields: [DraftField] { shape.draft.fields }
  private var payloads: [(bytes: [UInt8], fault: RequestFault?)] = []

  /// Holds the headers of a request to the rules.
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
      .first(AnsweredRules.headers.fault(of: draft, authentication))
      .first(topics.flatMap(draft.fault(outside:)))
  }

  /// Whether this is the verdict of a request.
  func covers(_ request: ServerRequest) -> Bool {
    headers.overflowed == request.headers.overflowed
      && headers.matches(request.headers, exceptValuesAt: varying)
  }

  /// A request's payload, and its first fault; nil when there is none. Payloads that are the same
  /// share their memory.
  mutating func payload(
    of request: ServerRequest
  ) -> (bytes: [UInt8], fault: RequestFault?) {
    if request.bodyCount > request.body.count {
      return (request.body, Self.fault(ofLong: request, Draft(fields: fields)))
    }
    if let known = payloads.first(where: { $0.bytes.isSame(as: request.body) }) { return known }
    let payload = request.body.isEmpty ? nil : DraftPayload(reading: request.body)
    let draft = Draft(fields: fields, payload: payload)
    let fault = AnsweredRules.payload.fault(of: draft, authentication)
      .first(Self.fault(of: payload))
    if payloads.count == Self.memory { payloads.removeFirst() }
    payloads.append((request.body, fault))
    return (request.body, fault)
  }
}

extension HeaderVerdict {
  /// Of a payload that is above every limit only the start is there.
  static func fault(ofLong request: ServerRequest, _ draft: Draft) -> RequestFault {
    let limit = draft.payloadLimit
    let length = request.isWhole ? "\(request.bodyCount)" : "more than \(request.bodyCount)"
    let note = "The payload is \(length) bytes long; the limit is \(limit)."
    let fix = RuleTable.rule("payload-size")?.fix
    return RequestFault(.payload, Refusal(reason: .payloadTooLarge, note: note, fix: fix))
  }

  /// What keeps a request with these headers from being looked at.
  ///
  /// - Parameter methods: those that its path takes.
  static func fault(of headers: HeaderBlock, taking methods: [String] = ["POST"]) -> RequestFault? {
    if headers.overflowed {
      return RequestFault(.path, Refusal(reason: .emulatorHeadersTooLong))
    }
    if !methods.contains(headers[":method"] ?? "") {
      return RequestFault(.method, Refusal(reason: .methodNotAllowed))
    }
    // A draft holds no provider token, so this one header is not the rule's to find.
    if headers.fields.count(where: { $0.name == "authorization" }) > 1 {
      return RequestFault(.duplicates, Refusal(reason: .duplicateHeaders))
    }
    return nil
  }

  /// What is wrong with a payload that is no JSON object.
  static func fault(of payload: DraftPayload?) -> RequestFault? {
    switch payload?.reading {
    case nil: return nil
    case .success(let json) where json.object != nil: return nil
    case .success: return RequestFault(.payload, Refusal(reason: .emulatorPayloadNotObject))
    case .failure(let error):
      let place = "line \(error.position.line), column \(error.position.column)"
      return RequestFault(.payload, Refusal(reason: .emulatorPayloadNotJSON, note: place))
    }
  }
}
