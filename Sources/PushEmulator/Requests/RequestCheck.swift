internal import APNS
internal import HTTP2

/// What was found out about a request, the provider token aside.
struct Inspection {
  /// What the path asks for.
  var path: PushPath
  /// The client's `apns-id`, or `apns-request-id` in a request about channels, as it was written;
  /// nil when there is none that can be echoed.
  var apnsID: String?
  /// Where the `authorization` header is; nil when there is none.
  var authorizationIndex: Int?
  /// The headers as the journal keeps them.
  var shape: RequestShape
  /// The payload.
  var body: [UInt8]
  /// The first fault; nil when there is none.
  var fault: RequestFault?
  /// What it has to do with channels; nil for a push to a device.
  var channelPart: ChannelPart?
  /// What the journal says of it if it has no fault; nil when there is nothing to say.
  var note: String?
}

/// Holds requests to the rules that APNs answers with a reason.
///
/// Most pushes of a run differ in device token, `apns-id` and perhaps payload alone. What the rules
/// say to all the rest is remembered, so that such a push is only compared with the one before. Of
/// requests about channels, which depend on their path, nothing is remembered.
struct RequestCheck {
  private static let memory = 4
  private let sender: RequestSender
  private let environment: EmulatorEnvironment
  private let channels: ChannelRegistry
  private var verdicts: [HeaderVerdict] = []

  /// A check of requests whose sender authenticates in this way.
  ///
  /// - Parameters:
  ///   - topics: what the sender's certificate may push to; nil does not limit it.
  ///   - channels: those that the emulator has.
  init(
    authentication: Authentication, topics: [String]? = nil,
    environment: EmulatorEnvironment = .sandbox,
    channels: ChannelRegistry = ChannelRegistry(limit: ChannelRequest.limit)
  ) {
    sender = RequestSender(authentication: authentication, topics: topics)
    self.environment = environment
    self.channels = channels
  }

  /// Looks at a request.
  ///
  /// - Parameter devices: those that the emulator knows.
  mutating func inspect(
    _ request: ServerRequest, knowing devices: Devices = Devices()
  ) -> Inspection {
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
    return Inspection(
      path: path, apnsID: id.flatMap { $0.text.isFitForAnswer ? $0.text : nil },
      authorizationIndex: verdicts[place].authorizationIndex, shape: shape, body: payload.bytes,
      fault: path.fault.first(verdicts[place].fault).first(id?.fault).first(payload.fault)
        .first(deviceFault))
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
  ) -> Inspection {
    let check = ChannelCheck(request, path, of: app, from: sender, channels)
    let (part, note, fault) = check.verdict()
    let shape = RequestShape(
      method: request.headers[":method"], fields: check.draft.fields, draft: check.draft,
      authentication: sender.authentication, environment: environment, kind: path.kind)
    return Inspection(
      path: path,
      apnsID: check.draft[.requestID].flatMap { $0.value.isFitForAnswer ? $0.value : nil },
      authorizationIndex: request.headers.firstIndex(of: "authorization"), shape: shape,
      body: request.body, fault: fault, channelPart: part, note: note)
  }

  /// A canonical id is let through at once; the rule decides on any other.
  private func fault(ofID value: UnsafeBufferPointer<UInt8>) -> RequestFault? {
    if value.isCanonicalUUID { return nil }
    let id = DraftField(.id, String(decoding: value, as: UTF8.self))
    return AnsweredRules.id.fault(of: Draft(fields: [id]), sender.authentication)
  }
}

extension String {
  /// Whether an answer may carry this as its `apns-id`. One that is no UUID may: Apple says that
  /// APNs includes the value of the request when it reports an error, without an exception for
  /// BadMessageId, and a client waits for its own. One with blanks around it would be malformed.
  fileprivate var isFitForAnswer: Bool {
    guard let first = utf8.first, let last = utf8.last else { return false }
    return first > 0x20 && last > 0x20
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
