public import APNS

/// The stored parts of a request. They never include a provider token.
public struct ReceivedRequest: Sendable, Hashable {
  /// The headers shared with other requests; nil if nothing is stored.
  var head: ReceivedHead?
  /// The path, if it is not the plain one of the device token; nil if none arrived.
  var oddPath: String?
  /// The first `apns-id` as received; nil without one.
  var id: String?
  /// The payload, up to 8,192 bytes.
  public internal(set) var body: [UInt8] = []
  /// The number of payload bytes that arrived.
  public internal(set) var bodyCount = 0

  /// Creates a request with nothing stored.
  public init() {}

  /// The contents of `authorization`; nil if there is none.
  public var authorization: ReceivedAuthorization? { head?.authorization }

  /// The method; nil if none arrived.
  public var method: String? { head?.shape.method }

  /// The headers that start with `apns-`, in order, including repeated ones.
  public var fields: [DraftField] {
    guard var fields = head?.shape.fields else { return [] }
    if let id, let place = fields.firstIndex(where: { $0.name == HeaderName.id.text }) {
      fields[place] = DraftField(.id, id)
    }
    return fields
  }

  /// The kind of request.
  public var kind: RequestKind { head?.shape.kind ?? .device }

  /// The bundle ID in the path of a request about channels; nil for any other.
  public var bundleID: String? { head?.shape.draft.app?.value }

  /// The APNs environment that the emulator stood for.
  public var environment: EmulatorEnvironment { head?.shape.environment ?? .sandbox }

  /// The topic of the header, or else the only one of the client's certificate; nil if there is
  /// none.
  public var topic: String? { head?.shape.draft.topic }

  /// The draft behind the request, as the rules judge it.
  public var draft: Draft {
    var draft = head?.shape.draft ?? Draft()
    if let id, draft[.id] != nil { draft[.id] = DraftField(.id, id) }
    draft.payload = body.isEmpty ? nil : DraftPayload(reading: body)
    return draft
  }
}

/// The headers of requests that share them.
final class ReceivedHead: Sendable {
  let shape: RequestShape
  let authorization: ReceivedAuthorization?

  init(_ shape: RequestShape, _ authorization: ReceivedAuthorization? = nil) {
    (self.shape, self.authorization) = (shape, authorization)
  }
}

extension ReceivedHead: Hashable {
  static func == (left: ReceivedHead, right: ReceivedHead) -> Bool {
    left === right || (left.shape == right.shape && left.authorization == right.authorization)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(shape) }
}

/// The common parts of a run's requests: everything except path, `apns-id` and payload. Requests
/// about channels share nothing with others.
final class RequestShape: Sendable {
  let method: String?
  /// The headers that start with `apns-`, as received.
  let fields: [DraftField]
  /// The headers as judged, including the topic of a certificate.
  let draft: Draft
  let authentication: Authentication
  let environment: EmulatorEnvironment
  let kind: RequestKind

  init(
    method: String?, fields: [DraftField] = [], draft: Draft = Draft(),
    authentication: Authentication, environment: EmulatorEnvironment, kind: RequestKind = .device
  ) {
    (self.method, self.fields, self.draft) = (method, fields, draft)
    (self.authentication, self.environment, self.kind) = (authentication, environment, kind)
  }
}

extension RequestShape: Hashable {
  static func == (left: RequestShape, right: RequestShape) -> Bool {
    left === right
      || (left.method == right.method && left.fields == right.fields && left.draft == right.draft
        && left.authentication == right.authentication && left.environment == right.environment
        && left.kind == right.kind)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(fields)
  }
}

/// The contents of `authorization`, without the provider token itself.
public struct ReceivedAuthorization: Sendable, Hashable {
  /// The first word, such as `bearer`; nil if there is no word that may be shown.
  public internal(set) var scheme: String?
  /// The key ID; nil if there is no readable provider token.
  public internal(set) var keyID: String?
  /// The team ID; nil if there is no readable provider token.
  public internal(set) var teamID: String?
  /// The provider token's time of issue, in seconds since 1970; nil if there is no readable one.
  public internal(set) var issuedAt: Int?

  private static let longestScheme = 15

  /// - Parameters:
  ///   - value: the header's value.
  ///   - token: the provider token in it; nil if it could not be read.
  init(_ value: UnsafeBufferPointer<UInt8>, _ token: ReceivedToken?) {
    scheme = Self.scheme(of: value)
    keyID = token?.keyID
    teamID = token?.teamID
    issuedAt = token?.issuedAt
  }

  /// The scheme: a word followed by a blank, or alone. Anything else may be the provider token.
  private static func scheme(of value: UnsafeBufferPointer<UInt8>) -> String? {
    let word = value.prefix { ($0 | 0x20) &- 0x61 < 26 }
    guard 1...longestScheme ~= word.count, word.count == value.count || value[word.count] == 0x20
    else { return nil }
    return String(decoding: word, as: UTF8.self)
  }

  /// `bearer, key ABC123DEFG, team DEF123GHIJ, issued 2026-11-21T10:00:00Z`
  public var text: String {
    [
      scheme ?? "not shown", keyID.map { "key \($0)" }, teamID.map { "team \($0)" },
      issuedAt.map { "issued \(ISO8601.text(seconds: Int64($0)))" },
    ].compactMap(\.self).joined(separator: ", ")
  }
}
