public import APNS

/// What is kept of a request. It never holds a provider token.
public struct ReceivedRequest: Sendable, Hashable {
  /// What it has in common with others; nil when nothing of it is kept.
  var head: RequestHead?
  /// The path, where it is not that of the device token; nil when none arrived.
  var oddPath: String?
  /// The first `apns-id` as it came; nil without one.
  var id: String?
  /// The payload, at most 8,192 bytes of it.
  public internal(set) var body: [UInt8] = []
  /// How many bytes of the payload arrived.
  public internal(set) var bodyCount = 0

  /// A request of which nothing is kept.
  public init() {}

  /// What `authorization` says; nil when there is none.
  public var authorization: ReceivedAuthorization? { head?.authorization }

  /// The method; nil when none arrived.
  public var method: String? { head?.shape.method }

  /// The headers that begin with `apns-`, in order, repeated ones included.
  public var fields: [DraftField] {
    guard var fields = head?.shape.fields else { return [] }
    if let id, let place = fields.firstIndex(where: { $0.name == HeaderName.id.text }) {
      fields[place] = DraftField(.id, id)
    }
    return fields
  }

  /// What it is about.
  public var kind: RequestKind { head?.shape.kind ?? .device }

  /// The bundle ID in the path of a request about channels; nil for any other.
  public var bundleID: String? { head?.shape.draft.app?.value }

  /// Which of APNs' environments the emulator stood for.
  public var environment: EmulatorEnvironment { head?.shape.environment ?? .sandbox }

  /// The topic, of the header or else the only one of the client's certificate; nil when there is
  /// none.
  public var topic: String? { head?.shape.draft.topic }

  /// The draft that the request is of, as the rules judge it.
  public var draft: Draft {
    var draft = head?.shape.draft ?? Draft()
    if let id, draft[.id] != nil { draft[.id] = DraftField(.id, id) }
    draft.payload = body.isEmpty ? nil : DraftPayload(reading: body)
    return draft
  }
}

/// The headers of requests that have them in common.
final class RequestHead: Sendable {
  let shape: RequestShape
  let authorization: ReceivedAuthorization?

  init(_ shape: RequestShape, _ authorization: ReceivedAuthorization? = nil) {
    (self.shape, self.authorization) = (shape, authorization)
  }
}

extension RequestHead: Hashable {
  static func == (left: RequestHead, right: RequestHead) -> Bool {
    left === right || (left.shape == right.shape && left.authorization == right.authorization)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(shape) }
}

/// What the requests of a run have in common: all but path, `apns-id` and payload. Requests about
/// channels have nothing in common with others.
final class RequestShape: Sendable {
  let method: String?
  /// The headers that begin with `apns-`, as they came.
  let fields: [DraftField]
  /// The headers as they are judged: with the topic of a certificate.
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

/// What `authorization` says, without the provider token itself.
public struct ReceivedAuthorization: Sendable, Hashable {
  /// The first word, such as `bearer`; nil when there is no word that may be shown.
  public internal(set) var scheme: String?
  /// The key's ID; nil when there is no readable provider token.
  public internal(set) var keyID: String?
  /// The team's ID; nil when there is no readable provider token.
  public internal(set) var teamID: String?
  /// When the provider token was issued, in seconds since 1970; nil when there is no readable one.
  public internal(set) var issuedAt: Int?

  private static let longestScheme = 15

  /// - Parameters:
  ///   - value: the header's value.
  ///   - token: the provider token in it; nil when it could not be read.
  init(_ value: UnsafeBufferPointer<UInt8>, _ token: ReceivedToken?) {
    scheme = Self.scheme(of: value)
    keyID = token?.keyID
    teamID = token?.teamID
    issuedAt = token?.issuedAt
  }

  /// Only a word with a blank behind it is a scheme; anything else may be the provider token.
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
