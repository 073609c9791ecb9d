internal import APNS
internal import HTTP2
internal import JSONText

/// A request, and what the rules say to it and to every other that differs from it in the values of
/// `:path` and `apns-id` alone.
struct Precedent {
  /// Where `:path` is.
  let pathIndex: Int
  /// Where the first `apns-id` is; nil when there is none.
  let idIndex: Int?
  /// Where the first `authorization` is; nil when there is none.
  let authorizationIndex: Int?
  /// The first fault that is not the path's or the id's; nil when there is none.
  let fault: RequestFault?

  private let headers: HeaderBlock
  private let body: [UInt8]
  private let bodyCount: Int
  private let varying: [Int]

  /// Holds a request to the rules.
  init(_ request: ServerRequest, authentication: Authentication) {
    headers = request.headers
    body = request.body
    bodyCount = request.bodyCount
    // nghttp2 refuses a request without a path.
    pathIndex = headers.firstIndex(of: ":path") ?? 0
    idIndex = headers.firstIndex(of: "apns-id")
    authorizationIndex = headers.firstIndex(of: "authorization")
    varying = [pathIndex] + (idIndex.map { [$0] } ?? [])
    let draft = Draft(received: headers.fields, body: body)
    fault = Self.fault(of: request)
      .first(Self.fault(of: draft, in: Self.rules, authentication))
      .first(Self.fault(ofPayload: draft.payload))
  }

  /// Whether this is the precedent of a request.
  func covers(_ request: ServerRequest) -> Bool {
    bodyCount == request.bodyCount && headers.overflowed == request.headers.overflowed
      && headers.matches(request.headers, exceptValuesAt: varying)
      && body.isSame(as: request.body)
  }
}

extension Precedent {
  // Rules whose breach APNs does not answer with a reason are the sender's business.
  private static let answeredRules = RuleTable.all.filter { $0.reason != nil }
  private static let rules = answeredRules.filter { $0.subject != .header(.id) }

  /// The rules about `apns-id`.
  static let idRules = answeredRules.filter { $0.subject == .header(.id) }

  /// The first of some rules that a draft breaks. No rule with a reason looks at the time.
  static func fault(
    of draft: Draft, in rules: [Rule], _ authentication: Authentication
  ) -> RequestFault? {
    let context = RuleContext(now: 0, authentication: authentication)
    for rule in rules {
      if let problem = rule.problems(in: draft, context).first, let reason = rule.reason {
        return RequestFault(
          CheckStep(rule.subject), Refusal(reason: reason, note: problem.message))
      }
    }
    return nil
  }

  private static func fault(of request: ServerRequest) -> RequestFault? {
    if request.headers.overflowed {
      return RequestFault(.path, Refusal(reason: .emulatorHeadersTooLong))
    }
    if request.headers[":method"] != "POST" {
      return RequestFault(.method, Refusal(reason: .methodNotAllowed))
    }
    // A draft holds no provider token, so this one header is not the rule's to find.
    if request.headers.fields.count(where: { $0.name == "authorization" }) > 1 {
      return RequestFault(.duplicates, Refusal(reason: .duplicateHeaders))
    }
    return nil
  }

  private static func fault(ofPayload payload: DraftPayload?) -> RequestFault? {
    switch payload?.reading {
    case nil: nil
    case .success(let json) where json.object != nil: nil
    case .success: RequestFault(.payload, Refusal(reason: .emulatorPayloadNotObject))
    case .failure(let error):
      RequestFault(
        .payload,
        Refusal(
          reason: .emulatorPayloadNotJSON,
          note: "line \(error.position.line), column \(error.position.column)"))
    }
  }
}
