internal import APNS
internal import HTTP2

/// The results of checking a request, except for the provider token.
struct CheckedRequest {
  /// The request's target.
  var path: PushPath
  /// The client's `apns-id`, or its `apns-request-id` for a request about channels, as written; nil
  /// if there is none that can be echoed.
  var apnsID: String?
  /// The index of the `authorization` header; nil if there is none.
  var authorizationIndex: Int?
  /// The headers in the journal's form.
  var shape: RequestShape
  /// The payload.
  var body: [UInt8]
  /// The first fault; nil if there is none.
  var fault: RequestFault?
  /// The channel part of the request; nil for a push to a device.
  var channelDetails: ChannelDetails?
  /// The journal's note for a request without a fault; nil for none.
  var note: String?
}

/// Checks requests against the rules that APNs enforces with a reason.
///
/// Most pushes of a run differ only in device token, `apns-id` and perhaps payload. The verdict on
/// everything else is cached, so such a push is only compared with earlier ones. Requests about
/// channels depend on their path and are not cached.
struct RequestCheck {
  private static let memory = 4
  private let sender: RequestSender
  private let environment: EmulatorEnvironment
  private let channels: ChannelRegistry
  private var verdicts: [HeaderVerdict] = []

  /// Creates a check for one sender's requests.
  ///
  /// - Parameters:
  ///   - topics: the topics the sender's certificate allows; nil for no restriction.
  ///   - channels: the emulator's channels.
  init(
    authentication: Authentication, topics: [String]? = nil,
    environment: EmulatorEnvironment = .sandbox,
    channels: ChannelRegistry = ChannelRegistry(limit: ChannelRequest.limit)
  ) {
    sender = RequestSender(authentication: authentication, topics: topics)
    self.environment = environment
    self.channels = channels
  }

  /// Checks a request.
  ///
  /// - Parameter devices: the emulator's devices.
  mutating func inspect(
    _ request: ServerRequest, knowing devices: EmulatedDevices = EmulatedDevices()
  ) -> CheckedRequest {
    let known = verdicts.firstIndex { $0.covers(request) }
    let path = path(of: request, known)
    if let app = path.app { return inspect(request, path, about: app) }
    let place = known ?? remember(request)
    let payload = verdicts[place].payload(of: request)
    let id = verdicts[place].idIndex.map { index in
      request.headers.withField(at: index) { _, value in
        (text: String(decoding: value, as: UTF8.self), fault: fault(ofID: value))
      }
    }
    let shape = verdicts[place].shape
    let deviceFault = devices.fault(of: path, topic: { shape.draft.topic }, environment)
    return CheckedRequest(
      path: path, apnsID: id.flatMap { $0.text.isFitForAnswer ? $0.text : nil },
      authorizationIndex: verdicts[place].authorizationIndex, shape: shape, body: payload.bytes,
      fault: path.fault.first(verdicts[place].fault).first(id?.fault).first(payload.fault)
        .first(deviceFault), note: payload.note)
  }

  private func path(of request: ServerRequest, _ known: Int?) -> PushPath {
    let index = known.map { verdicts[$0].pathIndex } ?? request.headers.firstIndex(of: ":path")
    return index.map { request.headers.withField(at: $0) { PushPath($1) } } ?? .other
  }

  private mutating func remember(_ request: ServerRequest) -> Int {
    if verdicts.count == Self.memory { verdicts.removeFirst() }
    verdicts.append(HeaderVerdict(request, sender, environment))
    return verdicts.count - 1
  }

  private func inspect(
    _ request: ServerRequest, _ path: PushPath, about app: String
  ) -> CheckedRequest {
    let check = ChannelCheck(request, path, of: app, from: sender, channels)
    let (part, note, fault) = check.verdict()
    let shape = RequestShape(
      method: request.headers[":method"], fields: check.draft.fields, draft: check.draft,
      authentication: sender.authentication, environment: environment, kind: path.kind)
    return CheckedRequest(
      path: path,
      apnsID: check.draft[.requestID].flatMap { $0.value.isFitForAnswer ? $0.value : nil },
      authorizationIndex: request.headers.firstIndex(of: "authorization"), shape: shape,
      body: request.body, fault: fault, channelDetails: part, note: note)
  }

  /// A canonical ID passes at once; the rule decides on any other.
  private func fault(ofID value: UnsafeBufferPointer<UInt8>) -> RequestFault? {
    if value.isCanonicalUUID { return nil }
    let id = DraftField(.id, String(decoding: value, as: UTF8.self))
    return EnforcedRules.id.fault(of: Draft(fields: [id]), sender.authentication)
  }
}

extension String {
  /// An answer may carry this as its `apns-id`, even if it is not a UUID: Apple says APNs returns
  /// the request's value with an error, makes no exception for BadMessageId, and clients wait for
  /// their own ID. With surrounding blanks the header would be malformed.
  fileprivate var isFitForAnswer: Bool {
    guard let first = utf8.first, let last = utf8.last else { return false }
    return first > 0x20 && last > 0x20
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes are a lowercase UUID, 8-4-4-4-12.
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
