import HTTP2
import PushEmulator
import TestSupport
import Testing

/// How a server takes something that it does not like.
enum Verdict: Hashable {
  /// It says nothing, and goes on.
  case ignored
  /// It answers the request.
  case answered
  /// It resets the stream with this code.
  case streamError(UInt32)
  /// It says GOAWAY with this code, and closes.
  case connectionError(UInt32)
  /// It closes.
  case closed
}

/// Something that a client should not send, or that a server should bear, and what comes back.
struct HygieneCase: CustomTestStringConvertible {
  /// The section of RFC 9113, or of RFC 7541 for HPACK.
  let section: String
  let name: String
  let verdict: Verdict
  /// What newer versions of nghttp2 do, as the RFC allows too.
  private(set) var newVerdict: Verdict?
  let bytes: [UInt8]
  /// What is said before, and answered.
  let request: RawFrame?
  /// Whether preface and SETTINGS go before.
  let begins: Bool

  init(
    _ section: String, _ name: String, _ verdict: Verdict, after request: RawFrame? = nil,
    begins: Bool = true, _ frames: RawFrame...
  ) {
    self.init(section, name, verdict, request, begins, bytes: frames.flatMap(\.bytes))
  }

  init(
    _ section: String, _ name: String, _ verdict: Verdict, _ request: RawFrame? = nil,
    _ begins: Bool = true, bytes: [UInt8]
  ) {
    (self.section, self.name, self.verdict) = (section, name, verdict)
    (self.bytes, self.request, self.begins) = (bytes, request, begins)
  }

  func or(_ verdict: Verdict) -> Self {
    var copy = self
    copy.newVerdict = verdict
    return copy
  }

  var testDescription: String { "\(section): \(name)" }

  /// Tries it on an emulator.
  func observed(at emulator: Emulator) throws -> Verdict {
    let client = try RawClient(emulator)
    let start = begins ? RawFrame.preface + RawFrame.settings().bytes : []
    if let request {
      try client.say(start + request.bytes) { $0.contains { $0.stream == request.stream } }
    }
    let before = client.heard.count
    try client.say(request == nil ? start + bytes : bytes) { _ in true }
    try client.settle()
    return Verdict(of: client.heard.dropFirst(before), isClosed: client.isClosed)
  }
}

extension Verdict {
  init(of frames: some Sequence<RawFrame>, isClosed: Bool) {
    let end = frames.first { $0.kind == .goAway }?.errorCode
    if let end, end != ErrorCode.noError {
      self = .connectionError(end)
    } else if isClosed {
      self = .closed
    } else if let reset = frames.first(where: { $0.kind == .resetStream })?.errorCode {
      self = .streamError(reset)
    } else {
      self = frames.contains { $0.kind == .headers } ? .answered : .ignored
    }
  }
}

/// A push as fields, and as a frame.
enum RawPush {
  static let fields = [
    (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
    (":path", "/3/device/" + RequestSample.deviceToken), ("apns-topic", "com.example.shop"),
  ]

  static func block(_ fields: [(String, String)] = fields) -> [UInt8] {
    fields.flatMap { HPACK.literal($0.0, $0.1) }
  }

  /// A whole request without a body.
  static func request(
    _ stream: UInt32 = 1, _ fields: [(String, String)] = fields
  ) -> RawFrame {
    RawFrame(
      .headers, flags: RawFrame.endHeaders | RawFrame.endStream, stream: stream,
      payload: block(fields))
  }

  /// A request with these fields behind the usual ones.
  static func request(adding more: (String, String), _ others: (String, String)...) -> RawFrame {
    request(1, fields + [more] + others)
  }

  /// A request without one of the usual fields.
  static func request(without name: String) -> RawFrame {
    request(1, fields.filter { $0.0 != name })
  }

  /// A request whose body is to come.
  static func opening(
    _ stream: UInt32 = 1, _ more: (String, String)...
  ) -> RawFrame {
    RawFrame(
      .headers, flags: RawFrame.endHeaders, stream: stream, payload: block(fields + more))
  }

  /// A frame of a header block in several.
  static func headers(_ stream: UInt32 = 1, flags: UInt8, _ payload: [UInt8]) -> RawFrame {
    RawFrame(.headers, flags: flags, stream: stream, payload: payload)
  }
}
