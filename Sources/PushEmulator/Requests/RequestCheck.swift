internal import APNS
internal import HTTP2

/// What was found out about a request, the provider token aside.
struct Inspection {
  /// What the path asks for.
  var path: PushPath
  /// The client's `apns-id` as it was written; nil when there is none that can be echoed.
  var apnsID: String?
  /// Where the `authorization` header is; nil when there is none.
  var authorizationIndex: Int?
  /// The first fault; nil when there is none.
  var fault: RequestFault?
}

/// Holds requests to the rules that APNs answers with a reason.
///
/// Most pushes of a run differ in device token and `apns-id` alone. What the rules say to all the
/// rest is remembered, so that such a push is only compared with the one before.
struct RequestCheck {
  private static let memory = 4
  private let authentication: Authentication
  private var remembered: [Precedent] = []

  /// A check of requests whose sender signs in this way.
  init(authentication: Authentication) { self.authentication = authentication }

  /// Looks at a request.
  mutating func inspect(_ request: ServerRequest) -> Inspection {
    let precedent = precedent(for: request)
    let path = request.headers.withField(at: precedent.pathIndex) { PushPath($1) }
    let id = precedent.idIndex.map { index in
      request.headers.withField(at: index) { _, value in
        (text: String(decoding: value, as: UTF8.self), fault: Self.fault(ofID: value))
      }
    }
    return Inspection(
      path: path, apnsID: id.flatMap { $0.fault == nil ? $0.text : nil },
      authorizationIndex: precedent.authorizationIndex,
      fault: path.fault.first(precedent.fault).first(id?.fault))
  }

  private mutating func precedent(for request: ServerRequest) -> Precedent {
    if let known = remembered.last(where: { $0.covers(request) }) { return known }
    let new = Precedent(request, authentication: authentication)
    if remembered.count == Self.memory { remembered.removeFirst() }
    remembered.append(new)
    return new
  }

  /// A canonical id is let through at once; the rule decides on any other.
  private static func fault(ofID value: UnsafeBufferPointer<UInt8>) -> RequestFault? {
    if value.isCanonicalUUID { return nil }
    let id = DraftField(.id, String(decoding: value, as: UTF8.self))
    return Precedent.fault(of: Draft(fields: [id]), in: Precedent.idRules, .token)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether this is a UUID in lower case, 8-4-4-4-12.
  fileprivate var isCanonicalUUID: Bool {
    guard count == APNSID.textLength else { return false }
    return indices.allSatisfy { index in
      switch index {
      case 8, 13, 18, 23: self[index] == UInt8(ascii: "-")
      default: self[index] &- 0x30 < 10 || self[index] &- 0x61 < 6
      }
    }
  }
}
