internal import CNGHTTP2

/// One request and its answer. Used again for the next request, so that a push costs no allocation.
///
/// An exchange belongs to the session it was submitted to until that session hands it back.
public final class Exchange {
  /// How a request ended.
  public enum End: Sendable, Hashable {
    /// A complete final status arrived; the body may be missing or cut off.
    case answered
    /// The server certainly did not process the request, for the connection ended before it got to
    /// it: it may be sent again freely.
    case notProcessed
    /// The server certainly did not process the request, for it refused this one (RST_STREAM with
    /// REFUSED_STREAM, RFC 9113 section 8.7): it may be sent again, but may be refused again.
    case refused
    /// The server may or may not have processed the request. The code is RST_STREAM's; nil when
    /// the connection was lost.
    case inDoubt(errorCode: UInt32?)
  }

  /// The most bytes of an answer's body that are usually kept.
  public static let bodyLimit = 4096

  /// Free for the owner's use.
  public var tag = 0

  /// The final status; 0 when none arrived.
  public private(set) var status = 0

  /// The header fields of the final answer, `:status` included.
  public private(set) var headers = HeaderBlock()

  /// The answer's body, as far as it is kept.
  public private(set) var body: [UInt8] = []

  /// How the request ended; nil until it has.
  public private(set) var end: End?

  private(set) var streamID: Int32 = 0
  private enum Stage { case idle, ready, open }
  private var stage = Stage.idle
  private(set) var headersSent = false
  private var isTrailer = false
  var openIndex = 0

  private let requestBody = OutgoingBody()
  private var head: RequestHead?
  private let pathCapacity: Int
  private let bodyLimit: Int
  private let path: UnsafeMutablePointer<UInt8>
  private let varying: UnsafeMutablePointer<UInt8>
  private static let varyingCapacity = 64
  private var fields: UnsafeMutableBufferPointer<nghttp2_nv>

  /// An exchange whose path has room for this many bytes after the head's prefix.
  ///
  /// - Parameter bodyLimit: the most bytes of the answer's body that are kept; the rest is dropped.
  public init(pathCapacity: Int = 512, bodyLimit: Int = Exchange.bodyLimit) {
    self.pathCapacity = pathCapacity + 64
    self.bodyLimit = bodyLimit
    path = .allocate(capacity: self.pathCapacity)
    varying = .allocate(capacity: Self.varyingCapacity)
    fields = .allocate(capacity: 0)
  }

  deinit {
    path.deallocate()
    varying.deallocate()
    fields.deallocate()
  }

  /// Makes the exchange ready to be submitted.
  ///
  /// - Parameters:
  ///   - head: what this request has in common with others.
  ///   - pathEnd: what follows the head's path prefix.
  ///   - body: the request's body.
  ///   - write: writes the value of the head's varying field and returns its length; there is
  ///     room for 64 bytes.
  /// - Returns: false when the path or the varying value does not fit, or the exchange is still
  ///   open; it is then not ready, and a session will not take it.
  public func prepare(
    _ head: RequestHead, pathEnd: UnsafeBufferPointer<UInt8>, body: [UInt8],
    varying write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Bool {
    guard prepare(head, pathEnd, write) else { return false }
    requestBody.load(body)
    stage = .ready
    return true
  }

  /// Makes the exchange ready to be submitted, with a copy of a body that is only lent.
  ///
  /// See the other `prepare` for the parameters.
  public func prepare(
    _ head: RequestHead, pathEnd: UnsafeBufferPointer<UInt8>,
    copyingBody body: UnsafeBufferPointer<UInt8>,
    varying write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Bool {
    guard prepare(head, pathEnd, write) else { return false }
    requestBody.load(copying: body)
    stage = .ready
    return true
  }

  private func prepare(
    _ head: RequestHead, _ pathEnd: UnsafeBufferPointer<UInt8>,
    _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Bool {
    guard stage != .open else { return false }
    reset()
    guard head.pathPrefix.count + pathEnd.count <= pathCapacity else { return false }
    if self.head !== head { adopt(head) }
    if let start = pathEnd.baseAddress {
      (path + head.pathPrefix.count).update(from: start, count: pathEnd.count)
    }
    fields[RequestHead.pathIndex].valuelen = head.pathPrefix.count + pathEnd.count
    let length = write(.init(start: varying, count: Self.varyingCapacity))
    guard (0...Self.varyingCapacity).contains(length) else { return false }
    fields[fields.count - 1].valuelen = length
    return true
  }

  private func adopt(_ head: RequestHead) {
    self.head = head
    fields.deallocate()
    fields = .allocate(capacity: head.fieldCount)
    _ = fields.initialize(from: UnsafeBufferPointer(start: head.fields, count: head.fieldCount))
    head.pathPrefix.withUnsafeBufferPointer { prefix in
      if let start = prefix.baseAddress { path.update(from: start, count: prefix.count) }
    }
    fields[RequestHead.pathIndex].value = path
    fields[fields.count - 1].value = varying
  }

  private func reset() {
    stage = .idle
    status = 0
    headers.removeAll()
    body.removeAll(keepingCapacity: true)
    end = nil
    headersSent = false
    isTrailer = false
  }
}

// What the session does with an exchange.
extension Exchange {
  func submit(to session: OpaquePointer) throws(SessionError) {
    guard stage == .ready else { throw SessionError(Int(NGHTTP2_ERR_INVALID_ARGUMENT.rawValue)) }
    let owner = Unmanaged.passUnretained(self).toOpaque()
    let stream = requestBody.withProvider { provider in
      nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, provider, owner)
    }
    if stream < 0 { throw SessionError(Int(stream)) }
    streamID = stream
    stage = .open
  }

  func markHeadersSent() { headersSent = true }

  /// A header block begins. What follows a final status is a trailer; what follows a 1xx is not.
  func beginHeaders() {
    isTrailer = status >= 200
    if !isTrailer {
      headers.removeAll()
      status = 0
    }
  }

  /// - Returns: false when there were far too many; what was received then counts as whole.
  func receiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if isTrailer {
      headers.leaveOut(name: name, value: value)
    } else {
      headers.append(name: name, value: value)
    }
    if headers.isExcessive { endHeaders() }
    return !headers.isExcessive
  }

  func endHeaders() {
    if !isTrailer { status = headers.firstIndex(of: ":status").map(number(at:)) ?? 0 }
  }

  /// A field's value, which nghttp2 has seen to be three digits (RFC 9113 section 8.3.2).
  private func number(at index: Int) -> Int {
    headers.withField(at: index) { _, value in
      value.prefix(3).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
  }

  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) {
    body.append(contentsOf: bytes.prefix(bodyLimit - body.count))
  }

  /// - Parameter goAway: the peer's GOAWAY, if there was one.
  func closed(errorCode: UInt32?, _ goAway: GoAway?) {
    stage = .idle
    requestBody.clear()
    if status >= 200 {
      end = .answered
    } else if !headersSent || streamID > goAway?.lastStream ?? .max {
      end = .notProcessed
    } else if errorCode == NGHTTP2_REFUSED_STREAM.rawValue {
      end = .refused
    } else {
      end = .inDoubt(errorCode: errorCode)
    }
  }
}
